import type { SqlValue } from '../database/sql-value.ts'

/** A text that is equal only for equal values of a key's columns. */
export function identityOf(values: readonly SqlValue[]): string {
  return JSON.stringify(values.map(valueText))
}

/** A text that is equal only for equal values of a column. */
export function valueText(value: SqlValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
}
