/**
 * Relay's global id: base64 of `<type name>:<primary key>`; a key of several columns is a JSON list. If a column of
 * the key is null, or not of its declared type, texts cannot represent the key: then it is a JSON list of stored
 * values, without a colon before it, followed by the row number if a value is null.
 * https://relay.dev/graphql/objectidentification.htm
 */
import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { columnValueOf } from './column-value.ts'
import { boundValueOf, carriedOf, type StoredValue, storedValueOf } from './stored-value.ts'

export interface GlobalId {
  /** For example `Port_`. */
  readonly typeName: string
  readonly key: readonly StoredValue[]
  /** Whether the key consists of stored values; otherwise of texts. */
  readonly isStored: boolean
}

/** The id of a row: its type, the values of its key as in the row, and their columns if texts may not suffice. */
export function encodeGlobalId(
  typeName: string,
  key: readonly SqlValue[],
  columns: readonly Column[] = [],
  rowNumber?: SqlValue,
): string {
  const parts = key.map((value, index) => keyTextOf(value, columns[index]))
  const body = parts.every((part) => part !== undefined)
    ? `:${parts.length === 1 ? (parts[0] ?? '') : JSON.stringify(parts)}`
    : JSON.stringify([
        ...key.map(carriedOf),
        ...(key.includes(null) && rowNumber !== undefined ? [carriedOf(rowNumber)] : []),
      ])
  return Buffer.from(`${typeName}${body}`).toString('base64')
}

/** Undefined if the text would not be read as the same value again. */
function keyTextOf(value: SqlValue, column: Column | undefined): string | undefined {
  if (value === null) return undefined
  if (column?.type === 'string' && value instanceof Uint8Array) return undefined
  if (!column?.storedApart) return textOf(value)
  const bound = boundValueOf(column, value as StoredValue)
  if (bound === undefined || bound === null) return undefined
  const text = textOf(bound)
  const again = keyValueOf(column, text)
  if (again === undefined || again === null || textOf(again) !== text) return undefined
  const isSameKind = column.type === 'decimal' || kindOf(again) === kindOf(bound)
  return isSameKind ? text : undefined
}

function textOf(value: Exclude<SqlValue, null>): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
}

function kindOf(value: SqlValue): 'bytes' | 'number' | 'text' {
  if (value instanceof Uint8Array) return 'bytes'
  return typeof value === 'string' ? 'text' : 'number'
}

/** The text of a key column as a value to compare with; undefined if the column cannot contain it. */
export function keyValueOf(column: Column, text: string): SqlValue | undefined {
  if (column.type === 'boolean' && (text === '1' || text === '0')) return Number(text)
  if (column.type === 'other' && column.storedApart && /^-?[1-9]\d{0,17}$/.test(text)) return BigInt(text)
  return columnValueOf(column, text)
}

/** Undefined for anything that is not the id of a row whose key has `parts` columns. */
export function decodeGlobalId(id: unknown, parts: number): GlobalId | undefined {
  if (typeof id !== 'string' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(id)) return undefined
  const text = Buffer.from(id, 'base64').toString()
  const end = text.search(/[:[]/)
  if (end < 1) return undefined
  const typeName = text.slice(0, end)
  if (text[end] === '[') {
    const key = parseList(text.slice(end))?.map(storedValueOf)
    return key === undefined || key.includes(undefined)
      ? undefined
      : { typeName, key: key as readonly StoredValue[], isStored: true }
  }
  const rest = text.slice(end + 1)
  if (parts === 1) return { typeName, key: [rest], isStored: false }
  // Clients that make an id themselves write numbers as numbers.
  const key = parseList(rest)?.map((part) => (Number.isSafeInteger(part) ? String(part) : part))
  return key?.length === parts && key.every((part) => typeof part === 'string')
    ? { typeName, key: key as readonly string[], isStored: false }
    : undefined
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
