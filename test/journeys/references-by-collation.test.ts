/** References to texts that the database compares in any case: what is told of them agrees with what the table takes. */
import { expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const loose: Readonly<Record<string, { readonly type: string; readonly before?: string }>> = {
  SQLite: { type: 'varchar(20) collate nocase' },
  PostgreSQL: {
    type: 'varchar(20) collate loose',
    before: `create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
  },
  MariaDB: { type: 'varchar(20) collate utf8mb4_general_ci' },
}

test.each(products)('$name', async (product) => {
  const { type, before } = loose[product.name] ?? { type: 'text' }
  const gateway = await startTestGateway(product, async (options) => {
    await runStatements(options, [
      ...(before === undefined ? [] : [before]),
      `create table par (name ${type} not null, owner varchar(9), primary key (name))`,
      "insert into par values ('Abc', 'ann'), ('Other', 'bob')",
      `create table kid (id integer primary key, par ${type}, code integer unique, foreign key (par) references par (name))`,
    ])
  })
  try {
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['par', 'kid'] } })
    const post = async (body: unknown, token?: string) => {
      const answer = await gateway.request('POST', '/apis/kids', { body, ...(token && { token }) })
      return [answer.status, answer.body]
    }
    const first = { id: 1, par: 'aBC', code: 1 }
    expect(await post(first)).toEqual([201, first])
    // The unique value is the only mistake.
    const list = [
      { id: 2, par: 'aBC', code: 2 },
      { id: 3, par: 'Abc', code: 1 },
    ]
    expect(await post(list)).toMatchObject([409, { errors: [{ pointer: '/1/code' }] }])
    expect((await post([{ id: 2, par: 'none', code: 2 }, list[1]])) as unknown).toMatchObject([
      422,
      { errors: [{ pointer: '/0/par' }, { pointer: '/1/code' }] },
    ])
    const own = [{ key: 'owner', op: '==', val: 'ann' }]
    const token = await logonAs(
      gateway,
      await createAccount(gateway, 'ann', [
        { regex: '/apis/kids(/.*)?', methods: ['GET', 'POST'] },
        { regex: '/apis/pars(/.*)?', methods: ['GET'], rows: own },
      ]),
    )
    const second = { id: 4, par: 'ABC', code: 4 }
    expect(await post(second, token)).toEqual([201, second])
    expect(await post({ id: 5, par: 'OTHER', code: 5 }, token)).toMatchObject([
      422,
      { errors: [{ pointer: '/par', detail: 'There is no par whose name is "OTHER".' }] },
    ])
  } finally {
    await gateway.close()
  }
})
