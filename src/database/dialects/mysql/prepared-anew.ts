/**
 * Statements that are prepared for each execution. MariaDB (10.11) gives other rows when it executes a prepared statement again whose
 * derived table has a `case` with a subquery about the outer row, as fields have that a caller may read on some rows only: rows
 * would be found by values that are hidden.
 */
import { randomUUID } from 'node:crypto'
import type { Connection as PlainConnection } from 'mysql2'

/** Stands in the text of such a statement. */
export const preparedAnew = '/* prepared anew */'

/** The text to execute: another one each time, if the statement is prepared for each execution. */
export function executedText(sql: string): string {
  return sql.includes(preparedAnew) ? sql.replace(preparedAnew, `/* ${randomUUID()} */`) : sql
}

/** Drops what was prepared for one execution of `sql`, as `text`. */
export function dropExecuted(connection: PlainConnection, sql: string, text: string): void {
  if (text === sql) return
  try {
    connection.unprepare(text)
  } catch {
    // The connection is lost, and the statement with it.
  }
}
