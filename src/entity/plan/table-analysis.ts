/** What a plan needs to know about existing rows. */
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../../database/sql.ts'
import type { SqlValue } from '../../database/sql-value.ts'

export interface TableAnalysis {
  /** How many rows a table has. */
  rows(table: string): Promise<number>
  /** How many rows have null in a column. */
  withoutValue(table: string, column: string): Promise<number>
  /** How many rows meet a condition, in SQL. */
  meeting(table: string, condition: string): Promise<number>
  /** How many rows share their value in a column with another row. */
  repeating(table: string, column: string): Promise<number>
  /** How many rows have another value in a column than these. */
  otherThan(table: string, column: string, values: readonly SqlValue[]): Promise<number>
  /** How many rows have a value in a column that no row of the other column has. */
  dangling(
    table: string,
    column: string,
    other: { readonly table: string; readonly column: string },
  ): Promise<number>
}

/** Queries the database; results are cached. */
export function analyzeTables(connection: Connection, { dialect }: Database): TableAnalysis {
  const { quoteIdentifier, placeholder } = dialect.syntax
  const name = (text: string) => raw(quoteIdentifier(text))
  const known = new Map<string, Promise<number>>()
  const number = (fragment: SqlFragment<SqlValue>): Promise<number> => {
    const statement = render(fragment, placeholder)
    const key = JSON.stringify([statement.sql, statement.parameters.map(String)])
    const found = known.get(key) ?? connection.query(statement).then(([row]) => Number(row?.[0] ?? 0))
    known.set(key, found)
    return found
  }
  const count = (table: string, condition: SqlFragment<SqlValue>) =>
    number(sql`select count(*) from ${name(table)} where ${condition}`)
  return {
    rows: (table) => number(sql`select count(*) from ${name(table)}`),
    withoutValue: (table, column) => count(table, sql`${name(column)} is null`),
    meeting: (table, condition) => count(table, raw(condition)),
    repeating: (table, column) =>
      number(
        sql`select sum(repeated.n) from (select count(*) as n from ${name(table)} where ${name(column)} is not null group by ${name(column)} having count(*) > 1) repeated`,
      ),
    otherThan: (table, column, values) =>
      count(table, sql<SqlValue>`${name(column)} not in (${join<SqlValue>(values.map(parameter), ', ')})`),
    dangling: (table, column, other) =>
      number(
        sql`select count(*) from ${name(table)} a where a.${name(column)} is not null and not exists (select 1 from ${name(other.table)} b where b.${name(other.column)} = a.${name(column)})`,
      ),
  }
}
