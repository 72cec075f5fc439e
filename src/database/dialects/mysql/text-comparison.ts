/** Compares texts so that only identical texts are equal, whatever the collation of their column. */
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { MysqlServer } from './server.ts'
import { characterSetOf, collationOf, dataTypeOf, isGeometry } from './types.ts'

const sortedByNumber: ReadonlySet<string> = new Set(['enum', 'set'])

/** Whether the column itself compares and sorts by its exact text. */
export function isExactText(column: Column, { exactCollation }: MysqlServer): boolean {
  return collationOf(column) === exactCollation && !sortedByNumber.has(dataTypeOf(column))
}

/** An expression of the column's type, or a value for it, as text that compares exactly. */
export function exactText<Value>(
  column: Column,
  expression: SqlFragment<Value>,
  server: MysqlServer,
): SqlFragment<Value> {
  if (isExactText(column, server)) return expression
  return sql`convert(${textForm(column, expression)} using utf8mb4) collate ${raw(server.exactCollation)}`
}

/** A text that compares by the column's own collation, so that an index on the column can be used. */
export function inOwnCollation<Value>(column: Column, text: SqlFragment<Value>): SqlFragment<Value> {
  const collation = collationOf(column)
  if (collation === undefined) return text
  const characterSet = characterSetOf(collation)
  const converted =
    characterSet === 'utf8mb4' ? text : sql<Value>`convert(${text} using ${raw(characterSet)})`
  return sql`${converted} collate ${raw(collation)}`
}

/** The text that the database shows for a value without a text type. Values of a request are already texts. */
function textForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (isValue(expression) || collationOf(column) !== undefined) return expression
  return isGeometry(column) ? sql`st_astext(${expression})` : sql`cast(${expression} as char)`
}

/** Whether an expression is a value of a request, or derived from one. */
export function isValue<Value>(expression: SqlFragment<Value>): boolean {
  return expression.pieces.some((piece) => typeof piece !== 'string')
}

/** Whether the server sorts the column by its collation, as it compares it with a text. */
export function sortsByCollation(column: Column): boolean {
  return collationOf(column) !== undefined && !sortedByNumber.has(dataTypeOf(column))
}
