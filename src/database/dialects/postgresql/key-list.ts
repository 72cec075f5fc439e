/** Lists of values and of keys as the text that is bound for them. */
import type { Column } from '../../database-schema.ts'
import type { SqlValue } from '../../sql-value.ts'

/** The text of an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function arrayText(values: readonly SqlValue[]): string {
  return `{${values.map(itemText).join(',')}}`
}

/** The same for a JSON list: nested lists are nested arrays, unless the items are JSON themselves. */
export function arrayTextOf(value: unknown, items: Column['items']): string {
  if (Array.isArray(value)) return `{${value.map((item) => jsonItemText(item, items)).join(',')}}`
  return itemText(typeof value === 'string' ? value : JSON.stringify(value))
}

function jsonItemText(item: unknown, items: Column['items']): string {
  if (item === null) return 'NULL'
  return items === 'json' ? itemText(JSON.stringify(item)) : arrayTextOf(item, items)
}

/** For single-column keys an array, otherwise JSON text of rows: `[{"v0": …, "v1": …}, …]`. */
export function keyListText(keys: readonly (readonly SqlValue[])[]): string {
  if (keys[0]?.length === 1) return arrayText(keys.map((key) => key[0] ?? null))
  return `[${keys.map(rowText).join(',')}]`
}

function rowText(key: readonly SqlValue[]): string {
  return `{${key.map((value, index) => `"v${index}":${value === null ? 'null' : JSON.stringify(plainText(value))}`).join(',')}}`
}

function itemText(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const text = plainText(value)
  return needsEscape.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}

const needsEscape = /["\\]/

function plainText(value: Exclude<SqlValue, null>): string {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
}
