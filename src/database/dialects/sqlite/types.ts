import type { Affinity, Column, ColumnType } from '../../database-schema.ts'
import type { SpecType } from '../../table-spec.ts'

/**
 * The declared types of tables that the gateway makes. SQLite only derives an affinity from them, but by their names
 * introspection finds the same column type again.
 */
export const declaredTypes: Readonly<Record<SpecType, string>> = {
  string: 'TEXT',
  text: 'TEXT',
  smallInteger: 'SMALLINT',
  integer: 'INT4',
  bigInteger: 'BIGINT',
  float: 'REAL',
  decimal: 'DECIMAL_TEXT',
  dateTime: 'DATETIME_TEXT',
  date: 'DATE',
  jsonText: 'TEXT',
}

/** What was declared before: a date and time is stored in the same form since then. */
const formerTypes: Readonly<Partial<Record<SpecType, string>>> = { dateTime: 'DATETIME' }

/** Whether a column has the type that we declare, or declared in a former version. */
export function hasDeclaredType({ nativeType }: Pick<Column, 'nativeType'>, type: SpecType): boolean {
  return nativeType === declaredTypes[type] || nativeType === formerTypes[type]
}

/**
 * A decimal stored as text, in tables that the gateway makes; any other decimal column contains SQLite's own numbers.
 */
export const exactDecimal = declaredTypes.decimal

const typesByName: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^DECIMAL_TEXT$/, 'decimal'],
  [/BOOL/, 'boolean'],
  [/^(TINYINT|SMALLINT|MEDIUMINT|INT2|INT4)\b/, 'integer'],
  [/INT/, 'bigint'],
  [/^(DATETIME|TIMESTAMP)/, 'dateTime'],
  [/^DATE$/, 'date'],
  [/JSON/, 'json'],
  [/CHAR|CLOB|TEXT/, 'string'],
  [/BLOB|BINARY|BYTEA|IMAGE|^RAW\b/, 'binary'],
  [/REAL|FLOA|DOUB/, 'float'],
  [/DEC|NUM/, 'decimal'],
]

/** The type of a column with this declared type; `other` if the name says nothing. */
export function columnTypeOf(declaredType: string): ColumnType {
  const name = declaredType.toUpperCase()
  return typesByName.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

/**
 * How SQLite converts a value that is stored in a column:
 * https://www.sqlite.org/datatype3.html#determination_of_column_affinity
 */
export function affinityOf(declaredType: string): Affinity {
  const name = declaredType.toUpperCase()
  if (name.includes('INT')) return 'numeric'
  if (/CHAR|CLOB|TEXT/.test(name)) return 'text'
  return name === '' || name.includes('BLOB') ? 'none' : 'numeric'
}

const collation = ' collate'

/**
 * The declared type of a column that may have its own collation for texts: SQLite's catalogue does not say which one,
 * only the SQL of the table shows whether there is any.
 */
export function collatedType(declaredType: string): string {
  return `${declaredType}${collation}`
}

/** Whether different texts of the column may be equal. */
export function isCollated({ nativeType }: Pick<Column, 'nativeType'>): boolean {
  return nativeType.endsWith(collation)
}
