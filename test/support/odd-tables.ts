/** Tables of one column each, with odd values in it, made by someone else than the gateway. */
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { type OddColumn, oddColumns, preparation } from './odd-values.ts'
import type { TestProduct } from './products.ts'
import { Random } from './random.ts'

export interface OddTable {
  readonly name: string
  readonly type: string
}

/** Makes a table `odd0`, `odd1`, … for each type, with `rows` values beside those that are always there. */
export async function makeOddTables(
  { name: product }: TestProduct,
  options: DatabaseOptions,
  { seed, rows }: { readonly seed: number; readonly rows: number },
): Promise<readonly OddTable[]> {
  const random = new Random(seed)
  const columns = oddColumns[product] ?? []
  const database = await openDatabase(options)
  try {
    await database.driver.transaction(async (connection) => {
      const run = (sql: string) => connection.execute({ sql, parameters: [] })
      if (product === 'MariaDB') await run("set sql_mode = ''")
      for (const sql of preparation[product] ?? []) await run(sql)
      for (const [index, column] of columns.entries()) {
        await run(`create table odd${index} (id integer not null primary key, v ${column.type})`)
        const values = valuesOf(column, rows, random)
        for (let start = 0; start < values.length; start += 100) {
          const listed = values.slice(start, start + 100).map((value, at) => `(${start + at + 1}, ${value})`)
          await run(`insert into odd${index} values ${listed.join(', ')}`)
        }
      }
    })
  } finally {
    await database.driver.close()
  }
  return columns.map(({ type }, index) => ({ name: `odd${index}`, type }))
}

function valuesOf({ values, random: next }: OddColumn, rows: number, random: Random): readonly string[] {
  return [...values, 'null', ...Array.from({ length: rows }, () => next(random))]
}

const rawForms: Readonly<Record<string, string>> = {
  SQLite: "typeof(v) || ' ' || hex(v)",
  PostgreSQL: 'v::text',
  MariaDB: 'hex(cast(v as binary))',
}

/** What a column really holds, by the number of the row. */
export async function rawValues(
  { name: product }: TestProduct,
  options: DatabaseOptions,
  { name }: OddTable,
): Promise<ReadonlyMap<number, unknown>> {
  const database = await openDatabase(options)
  try {
    const sql = `select id, ${rawForms[product]} from ${name}`
    const rows = await database.driver.read((connection) => connection.query({ sql, parameters: [] }))
    return new Map(rows.map(([id, value]) => [Number(id), value]))
  } finally {
    await database.driver.close()
  }
}
