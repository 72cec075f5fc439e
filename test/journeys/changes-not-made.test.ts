/** Changes that a table accepts and does not make: triggers, rules and row policies decide so where a product has them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const columns = '(id integer primary key, state varchar(10), gone integer)'
const rows = "values (1, 'new', 0), (2, 'new', 0)"
const tables = ['kept', 'flagged'].flatMap((name) => [
  `create table ${name} ${columns}`,
  `insert into ${name} ${rows}`,
])

const deciding: Readonly<Record<string, readonly string[]>> = {
  SQLite: [
    'create trigger no_delete before delete on kept begin select raise(ignore); end',
    "create trigger no_update before update on kept when new.state = 'lost' begin select raise(ignore); end",
    "create trigger no_insert before insert on kept when new.state = 'lost' begin select raise(ignore); end",
    'create trigger flag before delete on flagged begin update flagged set gone = 1 where id = old.id; select raise(ignore); end',
  ],
  PostgreSQL: [
    'create function nothing() returns trigger language plpgsql as $$ begin return null; end $$',
    'create trigger no_delete before delete on kept for each row execute function nothing()',
    "create trigger no_change before insert or update on kept for each row when (new.state = 'lost') execute function nothing()",
    'create function flag() returns trigger language plpgsql as $$ begin update flagged set gone = 1 where id = old.id; return null; end $$',
    'create trigger flag before delete on flagged for each row execute function flag()',
    `create table ruled ${columns}`,
    `insert into ruled ${rows}`,
    'create rule no_delete as on delete to ruled do instead nothing',
    "create rule no_update as on update to ruled where new.state = 'lost' do instead nothing",
    "create rule no_insert as on insert to ruled where new.state = 'lost' do instead nothing",
  ],
}

describe.each(products.filter(({ name }) => deciding[name] !== undefined))('$name', (product) => {
  let gateway: TestGateway
  const names = ['kept', 'flagged', ...(product.name === 'PostgreSQL' ? ['ruled'] : [])]
  const keeping = names.filter((name) => name !== 'flagged')
  beforeAll(async () => {
    gateway = await startTestGateway(product, (options) =>
      executeAll(options, [...tables, ...(deciding[product.name] ?? [])]),
    )
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: names } })
    expect(adopted.status).toBe(201)
  })
  afterAll(() => gateway.close())

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await gateway.request(method, path, body === undefined ? {} : { body })
    return [answer.status, answer.body] as const
  }
  const problem = (status: number, members: object) => [status, expect.objectContaining(members)]
  const refused = {
    code: 'RECORD_INVALID',
    detail:
      'The database accepted the change and did not make it: a trigger, rule or policy of the table decides so. Nothing was changed.',
  }
  const failed = {
    data: null,
    errors: [expect.objectContaining({ message: refused.detail })],
  }

  test.each(keeping)('%s: a record that the table does not delete is not told as deleted', async (name) => {
    expect(await call('DELETE', `/apis/${name}s/1`)).toEqual(problem(422, refused))
    expect(await gateway.graphql(`mutation { delete_${name}(id: 1) { id } }`)).toEqual(failed)
    expect(await gateway.graphql(`mutation { deleteAll_${name}(where: {}) { count } }`)).toEqual(failed)
    expect(await call('GET', `/apis/${name}s/1`)).toEqual([200, { id: 1, state: 'new', gone: 0 }])
  })

  test.each(keeping)('%s: a change that the table does not make is not told as made', async (name) => {
    expect(await call('PATCH', `/apis/${name}s/1`, { state: 'lost' })).toEqual(problem(422, refused))
    expect(await call('PUT', `/apis/${name}s/1`, { id: 1, state: 'lost', gone: 0 })).toEqual(
      problem(422, refused),
    )
    expect(
      await gateway.graphql(`mutation { update_${name}(id: 1, input: { state: "lost" }) { id } }`),
    ).toEqual(failed)
    expect(
      await gateway.graphql(`mutation { updateAll_${name}(where: {}, input: { state: "lost" }) { count } }`),
    ).toEqual(failed)
    expect(await call('PATCH', `/apis/${name}s/1`, { state: 'open' })).toEqual([
      200,
      { id: 1, state: 'open', gone: 0 },
    ])
    expect(await call('PATCH', `/apis/${name}s/1`, { state: 'new' })).toEqual([
      200,
      { id: 1, state: 'new', gone: 0 },
    ])
  })

  test('the record of a list that the table does not keep is named', async () => {
    const list = [5, 6, 7].map((id) => ({ id, state: id === 6 ? 'lost' : 'new', gone: 0 }))
    const detail =
      'The database took the record and did not keep it under its key: a trigger of the table decides so, or the key is stored in another form. Nothing was changed.'
    for (const name of keeping) {
      expect(await call('POST', `/apis/${name}s`, list)).toEqual(
        problem(422, { code: 'RECORD_INVALID', errors: [{ pointer: '/1', detail }] }),
      )
      expect(await call('POST', `/apis/${name}s`, list[1])).toEqual(
        problem(422, { code: 'RECORD_INVALID', detail }),
      )
      expect(await call('GET', `/apis/${name}s/5`)).toEqual(problem(404, {}))
    }
  })

  test('a table may mark what is deleted instead', async () => {
    expect(await call('DELETE', '/apis/flaggeds/1')).toEqual([204, expect.anything()])
    expect(await call('GET', '/apis/flaggeds/1')).toEqual([200, { id: 1, state: 'new', gone: 1 }])
    expect(await gateway.graphql('mutation { delete_flagged(id: 2) { id gone } }')).toEqual({
      data: { delete_flagged: { id: 2, gone: 0 } },
    })
    expect(await call('GET', '/apis/flaggeds/2')).toEqual([200, { id: 2, state: 'new', gone: 1 }])
  })
})
