/** Lists of values and of keys: one JSON text as the parameter, `json_table` to read it as a table. */
import type { Column } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { SqlValue } from '../../sql-value.ts'
import { quoteIdentifier } from './quote.ts'
import { inOwnCollation } from './text-comparison.ts'
import { listedScaleOf, listItemType } from './types.ts'

/** JSON text of a list of values; bytes are written in base64. */
export function listText(values: readonly SqlValue[]): string {
  return `[${values.map(itemText).join(',')}]`
}

/** JSON text of a list of keys: plain values for single-column keys, otherwise lists. */
export function keyListText(keys: readonly (readonly SqlValue[])[]): string {
  return keys[0]?.length === 1
    ? listText(keys.map((key) => key[0] ?? null))
    : `[${keys.map(listText).join(',')}]`
}

function itemText(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)
}

/** The list of values as a subquery of one column, to be compared with `column`. */
export function listQuery<Value>(
  column: Column,
  list: SqlFragment<Value>,
  compared: (value: SqlFragment<never>) => SqlFragment<never>,
): SqlFragment<Value> {
  const columns = `v ${listItemType(column)} path '$', t longtext path '$'`
  const table = sql<Value>`json_table(${list}, '$[*]' columns (${raw(columns)})) j`
  return sql`select ${compared(raw('j.v'))} from ${table} where j.v is not null${unrounded(column)}`
}

/** The same with the values as texts. */
export function textListQuery<Value>(
  list: SqlFragment<Value>,
  collate: SqlFragment<never>,
): SqlFragment<Value> {
  return sql<Value>`select j.t ${collate} from json_table(${list}, '$[*]' columns (t varchar(40) character set utf8mb4 path '$')) j`
}

/** A decimal with more decimal places than it was read with equals nothing in the column. */
function unrounded(column: Column): SqlFragment<never> {
  if (column.type !== 'decimal') return raw('')
  return raw(` and j.t not like '%.${'_'.repeat(listedScaleOf(column) + 1)}%'`)
}

/** The list of keys as the table `k`: `p` is the position, counted from 1, and `v0`, `v1`, … the values. */
export function keyTable<Value>(keyColumns: readonly Column[], keys: SqlFragment<Value>): SqlFragment<Value> {
  const parts = keyColumns.map((column, index) => {
    const path = keyColumns.length === 1 ? '$' : `$[${index}]`
    // Equals the column's value only as one of 32 bits; it is read as the shortest text that leads to these.
    return `v${index} ${column.single ? 'float' : listItemType(column)} path '${path}'`
  })
  return sql`json_table(${keys}, '$[*]' columns (p for ordinality, ${raw(parts.join(', '))})) k`
}

/**
 * Whether a row of the table with this alias belongs to a key, by the comparison that the database uses for foreign
 * keys. MariaDB puts columns that `=` makes equal in each other's place; where conditions look for a key of several columns in other
 * tables, it then forgets a comparison, and rows belong to keys that they do not have. It does not do so with `<=>`.
 */
export function keyCondition(alias: string, keyColumns: readonly Column[]): SqlFragment<never> {
  const isSingle = keyColumns.length === 1
  const conditions = keyColumns.map((column, index) => {
    const own = raw(`${alias}.${quoteIdentifier(column.name)}`)
    const part = raw(`k.v${index}`)
    const value = listValue(column, part)
    return isSingle ? sql`${own} = ${value}` : sql`${own} <=> ${value} and ${part} is not null`
  })
  return join(conditions, ' and ')
}

/** A listed value in the form that an index on the column can use. */
export function listValue(column: Column, value: SqlFragment<never>): SqlFragment<never> {
  return column.type === 'binary' ? sql`from_base64(${value})` : inOwnCollation(column, value)
}
