/**
 * Pages of 100 of lists in other orders than the one of the key, in a table of 10,000 rows beside one of 1,000,000, asked in
 * turn: `npm run bench sorted-pages`. A product's name behind it asks for that one, two numbers for other sizes.
 */
import type { Database } from '../src/database/dialect.ts'
import { withSortOrder } from '../src/database/table-order.ts'
import type { TableSpec } from '../src/database/table-spec.ts'
import { executeGraphql } from '../src/graphql/execute-graphql.ts'
import { type SchemaSnapshot, snapshotOf } from '../src/graphql/snapshot.ts'
import { benchDatabases } from './bench-databases.ts'
import { median } from './statistics.ts'

const rounds = 60
const numbers = process.argv.slice(2).filter((word) => /^\d+$/.test(word))
const [small, large] = numbers.length === 2 ? numbers.map(Number) : [10_000, 1_000_000]
const sizes = [small ?? 0, large ?? 0]
const nameOf = (rows: number) => `Port${rows}`

/** The ports of the entity definitions, shortened: the identifier may be null, and keys come in no order. */
const portSpec = (rows: number): TableSpec => ({
  name: nameOf(rows),
  columns: [
    { name: 'instance', type: 'string', nullable: false },
    { name: 'id', type: 'string', nullable: true },
    { name: 'name', type: 'string', nullable: true },
    { name: 'code', type: 'integer', nullable: false },
    { name: 'parent', type: 'string', nullable: true },
  ],
  primaryKey: ['instance'],
  uniqueKeys: [['id'], ['code']],
  foreignKeys: [{ columns: ['parent'], referencedTable: nameOf(rows), referencedColumns: ['id'] }],
  indexes: [['parent', 'instance']],
})

const numbersOf = {
  sqlite: (rows: number) =>
    `(with recursive s (n) as (select 0 union all select n + 1 from s where n < ${rows - 1}) select n from s) s`,
  postgresql: (rows: number) => `generate_series(0::bigint, ${rows - 1}) s (n)`,
  mysql: (rows: number) => `(select seq as n from seq_0_to_${rows - 1}) s`,
}

async function fill({ dialect, driver }: Database, rows: number): Promise<void> {
  const product = dialect.product as keyof typeof numbersOf
  const joined = (a: string, b: string) => (product === 'mysql' ? `concat(${a}, ${b})` : `${a} || ${b}`)
  // 1,000,003 is a prime: no two numbers below it share their place.
  const scattered = (number: string) => `((${number}) * 7919 % 1000003 + 10000000)`
  const id = (number: string) => joined("'id'", scattered(number))
  const table = dialect.syntax.quoteIdentifier(nameOf(rows))
  const values = `${joined("'i'", scattered('n'))}, ${id('n')}, ${joined("'port '", 'n')}, n, ${id('n - n % 10')}`
  await driver.transaction(
    async (connection) => {
      for (const statement of dialect.ddl.createTables([portSpec(rows)])) await connection.execute(statement)
      const sql = `insert into ${table} select ${values} from ${numbersOf[product](rows)}`
      await connection.execute({ sql, parameters: [] })
    },
    { unlimited: true },
  )
}

interface Page {
  readonly pageInfo: { readonly endCursor: string }
}

async function ask(list: string, snapshot: SchemaSnapshot, database: Database): Promise<Page> {
  const query = `{ list: ${list} { edges { cursor node { instance id name code parent } } pageInfo { hasNextPage endCursor } } }`
  const answer = await executeGraphql({ query, variables: {} }, snapshot, database, {
    onFailure: (error) => {
      throw error
    },
  })
  if (answer.kind !== 'whole') throw new Error(answer.kind === 'refused' ? answer.text : 'A page is short')
  const { data } = JSON.parse(answer.whole.toString()) as { data: { list: Page } }
  return data.list
}

const orders = ['asc: ["id"]', 'desc: ["id"]', 'asc: ["code"]', 'desc: ["code"]', 'asc: ["parent"]']

for (const bench of await benchDatabases(process.argv.slice(2, 3).filter((word) => !/^\d+$/.test(word)))) {
  const database = await bench.open()
  try {
    for (const rows of new Set(sizes)) await fill(database, rows)
    await bench.settle()
    const found = await database.driver.read((connection) => database.dialect.introspect(connection))
    const snapshot = await snapshotOf(
      withSortOrder(found, new Set(found.tables.keys()), 'native'),
      database.dialect,
    )
    console.log(`${await bench.version()}: ms of a page of 100, at the start and in the middle`)
    for (const order of orders) {
      const lists = new Map<string, number[]>()
      for (const rows of new Set(sizes)) {
        const name = nameOf(rows)
        const middle = await ask(`${name}(${order}, offset: ${rows / 2}, limit: 1)`, snapshot, database)
        lists.set(`${name}(${order}, first: 100)`, [])
        lists.set(`${name}(${order}, first: 100, after: "${middle.pageInfo.endCursor}")`, [])
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const [list, times] of lists) {
          const start = performance.now()
          await ask(list, snapshot, database)
          times.push(performance.now() - start)
        }
      }
      const [a = 0, b = 0, c = a, d = b] = [...lists.values()].map(median)
      const text = (first: number, last: number) => `${first.toFixed(2)}, ${last.toFixed(2)}`
      console.log(
        `  ${order}: ${text(a, b)} of ${small} rows; ${text(c, d)} of ${large}; ${(c / a).toFixed(2)} and ${(d / b).toFixed(2)} times as long`,
      )
    }
  } finally {
    await database.driver.close()
    await bench.remove()
  }
}
