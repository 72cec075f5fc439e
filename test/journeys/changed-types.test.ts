/** A column that others make one of another type, between two queries that know nothing of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/dialect.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

/** A type, and a value of it as the product writes it. */
type Typed = readonly [type: string, value: string]

const shared: readonly Typed[] = [
  ['integer', '7'],
  ['bigint', '9007199254740993'],
  ['varchar(50)', "'x7'"],
  ['decimal(20,2)', '1.50'],
  ['date', "'2026-01-31'"],
  ['boolean', 'true'],
]
const own: Readonly<Record<string, readonly Typed[]>> = {
  SQLite: [
    ['double', '0.5'],
    ['datetime', "'2026-01-31 09:30:00'"],
    ['blob', "x'00ff'"],
  ],
  PostgreSQL: [
    ['double precision', '0.5'],
    ['timestamp', "'2026-01-31 09:30:00'"],
    ['timestamptz', "'2026-01-31 09:30:00Z'"],
    ['bytea', "'\\x00ff'"],
    ['jsonb', `'{"a":1}'`],
    ['uuid', "'018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f'"],
    ['integer[]', "'{1,2}'"],
    ['interval', "'1 day'"],
  ],
  MariaDB: [
    ['double', '0.5'],
    ['datetime(3)', "'2026-01-31 09:30:00'"],
    ['varbinary(20)', "x'00ff'"],
    ['json', `'{"a":1}'`],
    ["enum('a', 'b')", "'b'"],
    ['bit(3)', "b'101'"],
  ],
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let database: Database

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      database = await openDatabase(options)
    })
  })
  afterAll(async () => {
    await database.driver.close()
    await gateway.close()
  })

  // At once where the database can: a gateway that looks between two steps would not know the table.
  const run = (...statements: readonly string[]) =>
    database.driver.transaction(async (connection) => {
      for (const sql of statements) await connection.execute({ sql, parameters: [] })
    })
  const make = ([type, value]: Typed) =>
    run(
      // MariaDB has no transactions of changes of tables: the table and its row stay.
      ...(product.name === 'MariaDB'
        ? [
            'create table if not exists odd (id integer not null primary key, v integer)',
            'insert ignore into odd values (1, null)',
            `alter table odd drop column v, add column v ${type}, algorithm = copy`,
            `update odd set v = ${value}`,
          ]
        : [
            'drop table if exists odd',
            `create table odd (id integer not null primary key, v ${type})`,
            `insert into odd values (1, ${value})`,
          ]),
    )
  const ask = async (list = '') =>
    (await gateway.graphql(`{ odd${list} { edges { node { id v } } } }`)) as Json
  const reload = async () => expect((await gateway.request('POST', '/manage/schema/reload')).status).toBe(200)

  const types = [...shared, ...(own[product.name] ?? [])]
  test.each(partOf(types, 4, products.indexOf(product)))('%s', async (...before) => {
    const others = types.filter(([type]) => type !== before[0])
    for (const after of partOf(
      others,
      3,
      types.findIndex(([type]) => type === before[0]),
    )) {
      await make(before)
      await reload()
      const old = await ask()
      expect(old.errors).toBeUndefined()
      const shown = old.data.odd.edges[0].node.v
      await make(after)
      const answers = [await ask(), await ask('(asc: "v")'), await ask(`(v: ${JSON.stringify(shown)})`)]
      await reload()
      const now = await ask()
      expect(now.errors).toBeUndefined()
      // Until it is known, a value has the form of the type that there was; never is it of another row.
      for (const { data, errors } of answers.slice(0, 2)) {
        expect({ before, after, errors }).toEqual({ before, after })
        expect(data.odd.edges).toMatchObject([{ node: { id: 1 } }])
      }
      const found = answers[2]
      expect({ before, after, ...found }).toMatchObject(
        found.errors === undefined
          ? { data: { odd: { edges: expect.any(Array) } } }
          : { errors: [{ extensions: { code: expect.stringMatching(/^(?!INTERNAL)/) } }] },
      )
      expect(found.data?.odd?.edges ?? []).toHaveLength(found.data?.odd?.edges.length === 1 ? 1 : 0)
    }
  })
})
