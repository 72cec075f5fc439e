/** How values of a column are read, which rows match a shown value, and how lists of values are bound. */
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { SqlValue } from '../../sql-value.ts'
import type { Syntax } from '../../syntax.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { numberFunction, numberTextFunction } from './number-text.ts'
import { timestampFunction, timestampWindow } from './timestamp.ts'
import { isCollated } from './types.ts'

export const sqliteColumnCodec = {
  readColumn,

  equals(column, expression, value) {
    const same = standardSyntax.equals(column, comparedForm(column, expression), value)
    if (column.type !== 'dateTime') return same
    // Texts of the same timestamp begin with adjacent days, a range that an index can use.
    return sql`(${expression} between ${raw(timestampWindow.from)}(${value}) and ${raw(timestampWindow.to)}(${value}) and ${same})`
  },

  inList: (column, expression, list) =>
    sql`${comparedForm(column, expression)} in (select ${listItem(column, 'value', 'type')} from temp.json_each(${list}))`,

  listParameter: listText,

  keyListParameter: (keys) =>
    keys[0]?.length === 1 ? listText(keys.map((key) => key[0] ?? null)) : `[${keys.map(listText).join(',')}]`,
} as const satisfies Pick<Syntax, 'readColumn' | 'equals' | 'inList' | 'listParameter' | 'keyListParameter'>

/** Read as stored, except for 64-bit integers, which are read as texts. */
function readColumn(column: Column, expression: SqlFragment<never>): SqlFragment<never> {
  if (column.type !== 'bigint') return expression
  const digits = sql`cast(${expression} as text)`
  return column.loose === undefined
    ? digits
    : sql`iif(typeof(${expression}) = 'integer', ${digits}, ${expression})`
}

/** Values that are shown alike though stored in several forms are compared in one form. */
export function comparedForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  switch (column.type) {
    case 'dateTime':
      return sql`${raw(timestampFunction)}(${expression})`
    case 'boolean':
      // A value of a request is already in this form.
      return column.loose === undefined || isValue(expression) ? expression : truthForm(expression)
    case 'string':
      return isCollated(column) ? sql`${expression} collate binary` : expression
    default:
      return expression
  }
}

/** The text that is searched for a substring. */
export function textForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (column.type !== 'other' || isValue(expression)) return comparedForm(column, expression)
  return sql`iif(typeof(${expression}) = 'real', ${raw(numberTextFunction)}(${expression}), cast(${expression} as text))`
}

/** Words that other programs store for true and false; any number but 0 is true. */
export function truthForm<Value>(expression: SqlFragment<Value>): SqlFragment<Value> {
  return sql`case when typeof(${expression}) in ('integer', 'real') and ${expression} between -1.7976931348623157e308 and 1.7976931348623157e308 then ${expression} <> 0 when ${expression} in ('true', 't') then 1 when ${expression} in ('false', 'f') then 0 else ${expression} end`
}

/** Whether it is a value of a request instead of a column. */
function isValue<Value>({ pieces }: SqlFragment<Value>): boolean {
  return pieces.some((piece) => typeof piece !== 'string')
}

/**
 * JSON text of a list. 64-bit integers are written as digits, which SQLite reads without loss; bytes as a list with
 * their hexadecimal digits; numbers that SQLite might not read exactly as an object.
 */
function listText(values: readonly SqlValue[]): string {
  return `[${values.map(itemText).join(',')}]`
}

function itemText(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `["${Buffer.from(value).toString('hex')}"]`
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    const size = Math.abs(value)
    if (size < 1e-20 || size > 1e20) return `{"n":"${value}"}`
    // The digits of an integer beyond the precision of a double would be those of another number.
    if (Number.isInteger(value)) return value.toExponential()
  }
  return JSON.stringify(value)
}

/** An item of a list as the column stores it; `value` and `type` are expressions for its value and its JSON type. */
export function listItem(
  { type: columnType, loose }: Column,
  value: string,
  type: string,
): SqlFragment<never> {
  const mayBeBytes = columnType === 'binary' || loose !== undefined
  if (!mayBeBytes && columnType !== 'float') return raw(value)
  // A text column contains no numbers.
  if (loose === 'text') return raw(`iif(${type} = 'array', unhex(${value} ->> 0), ${value})`)
  return raw(
    `case ${type} when 'array' then unhex(${value} ->> 0) when 'object' then ${numberFunction}(${value} ->> 'n') else ${value} end`,
  )
}
