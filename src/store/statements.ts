import type { Connection } from '../database/driver.ts'
import { render, type SqlFragment } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { Syntax } from '../database/syntax.ts'

/** Runs portable SQL, with the placeholders of one product. */
export interface Statements {
  query(connection: Connection, fragment: SqlFragment<SqlValue>): Promise<readonly Row[]>
  /** Returns the number of changed rows. */
  execute(connection: Connection, fragment: SqlFragment<SqlValue>): Promise<number>
}

/** Statements in the placeholders of a product. */
export function createStatements({ placeholder }: Pick<Syntax, 'placeholder'>): Statements {
  return {
    query: (connection, fragment) => connection.query(render(fragment, placeholder)),
    execute: (connection, fragment) => connection.execute(render(fragment, placeholder)),
  }
}

/** A text column of a row that is never null. */
export function textOf(value: SqlValue | undefined): string {
  return String(value)
}

/** A text column that may be null. */
export function optionalTextOf(value: SqlValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}
