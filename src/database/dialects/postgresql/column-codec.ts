/** How values of a column are read, which rows match a shown value, and how lists of values are bound. */
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { Syntax } from '../../syntax.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { arrayText, keyListText } from './key-list.ts'
import { collationOf, isArray, isLooseText, isPlainText, listItemType, typeName } from './types.ts'

export const postgresqlColumnCodec = {
  readColumn: (column, expression) => readForm(column, expression),

  // For the server a row value of nulls only is null, but it is shown.
  isNull: (column, expression, negated) =>
    standardSyntax.isNull(
      column,
      column.type === 'other' ? readForm(column, expression) : expression,
      negated,
    ),

  equals(column, expression, value) {
    const same = sql`${exactForm(column, expression)} = ${comparable(column, value)}`
    if (column.type !== 'string') return same
    if (isPlainText(column) && !isLooseText(column)) return sql`${expression} = ${value}`
    // The column's own equality matches more texts than the same one, but can use an index.
    return isLooseText(column) ? sql`(${expression} = ${value} and ${same})` : same
  },

  matchesMore: (column) => (column.type === 'string' ? isLooseText(column) : comparesAsText(column)),

  inList(column, expression, list) {
    const type = comparesAsText(column) ? 'text' : listItemType(column)
    const compared =
      column.type === 'string' && isPlainText(column) && !isLooseText(column)
        ? expression
        : exactForm(column, expression)
    return sql`${compared} = any(${list}::${raw(type)}[])`
  },

  listParameter: arrayText,

  keyListParameter: keyListText,
} as const satisfies Pick<
  Syntax,
  'readColumn' | 'isNull' | 'equals' | 'matchesMore' | 'inList' | 'listParameter' | 'keyListParameter'
>

/** Types whose values are compared by the shown text. */
export function comparesAsText(column: Column): boolean {
  return column.type === 'string' || column.type === 'json' || column.type === 'other'
}

/** The expression that reads a value: types without a form of their own are texts. */
function readForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  switch (column.type) {
    case 'string':
      return isPlainText(column) ? expression : sql`${expression}::text`
    case 'bigint':
      return typeName(column) === 'oid' ? sql`${expression}::bigint` : expression
    case 'decimal':
      return sql`pg_catalog.trim_scale(${expression})`
    case 'dateTime':
      return isWithTimeZone(column) ? sql`(${expression} at time zone 'UTC')` : expression
    case 'time':
      return isWithTimeZone(column) ? sql`(${expression} at time zone 'UTC')::time` : expression
    case 'json':
      return isArray(column) ? sql`pg_catalog.array_to_json(${expression})::text` : sql`${expression}::text`
    case 'other':
      return sql`${expression}::text`
    default:
      return expression
  }
}

function isWithTimeZone(column: Column): boolean {
  return typeName(column).endsWith(' with time zone')
}

/** A column in the form that is compared and sorted: texts by code point, times of day in UTC. */
export function exactForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (comparesAsText(column)) {
    if (isPlainText(column) && collationOf(column) === 'exact') return expression
    return sql`${readForm(column, expression)} collate "C"`
  }
  return column.type === 'time' || column.type === 'bigint' ? readForm(column, expression) : expression
}

/** A value of a request in the type in which the column is compared. */
export function comparable<Value>(column: Column, value: SqlFragment<Value>): SqlFragment<Value> {
  // A 32-bit column is also compared with numbers beyond its range.
  return column.type === 'integer' || column.type === 'bigint' ? sql`${value}::bigint` : value
}
