/** Rows of tables, put in and read by hand, in the same form on every product. */
import type { Database } from '../../src/database/dialect.ts'
import { join, parameter, raw, render, sql } from '../../src/database/sql.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'

export type PlainRow = Readonly<Record<string, SqlValue>>

/** Puts rows into a table of an entity; each gets an `instance`. */
export async function putRows({ dialect, driver }: Database, table: string, rows: readonly PlainRow[]) {
  const { quoteIdentifier, placeholder } = dialect.syntax
  await driver.transaction(async (connection) => {
    for (const [index, row] of rows.entries()) {
      const whole = { instance: `i${index}`, ...row }
      const names = raw(Object.keys(whole).map(quoteIdentifier).join(', '))
      const values = join<SqlValue>(Object.values(whole).map(parameter), ', ')
      const insert = sql<SqlValue>`insert into ${raw(quoteIdentifier(table))} (${names}) values (${values})`
      await connection.execute(render(insert, placeholder))
    }
  })
}

/** The rows of a table by `instance`, with the columns that are neither the system's nor null. */
export async function rowsOf({ dialect, driver }: Database, table: string): Promise<readonly PlainRow[]> {
  const { quoteIdentifier, readColumn, placeholder } = dialect.syntax
  return driver.read(async (connection) => {
    const found = (await dialect.introspect(connection)).tables.get(table)
    const columns = [...(found?.columns.values() ?? [])].filter(
      ({ name }) => !['instance', 'xid', 'xname'].includes(name),
    )
    if (columns.length === 0) return []
    const read = columns.map((column) => readColumn(column, raw(quoteIdentifier(column.name))))
    const select = sql`select ${join(read, ', ')} from ${raw(quoteIdentifier(table))} order by ${raw(quoteIdentifier('instance'))}`
    const rows = await connection.query(render(select, placeholder))
    return rows.map((row) =>
      Object.fromEntries(
        columns.flatMap(({ name }, index) => {
          const value = row[index] ?? null
          return value === null ? [] : [[name, value]]
        }),
      ),
    )
  })
}
