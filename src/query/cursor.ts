/**
 * A cursor describes a row's position in a sorted list by the row's own values, so that it stays valid when other rows
 * are inserted or deleted. It also identifies its list: a cursor of another table or order, or of columns whose types
 * have changed, is detected and refused.
 */
import type { SqlValue } from '../database/sql-value.ts'
import { carriedOf, type StoredValue, storedValueOf } from './stored-value.ts'

export interface Cursor {
  /** The `orderTag` of its list. */
  readonly order: string
  /** One value for each term of the order. */
  readonly values: readonly StoredValue[]
}

/** Base64url of a JSON list: the order tag, then the values. */
export function encodeCursor(order: string, values: readonly SqlValue[]): string {
  return Buffer.from(JSON.stringify([order, ...values.map(carriedOf)])).toString('base64url')
}

/** Undefined for a text that `encodeCursor` cannot have made. */
export function decodeCursor(text: unknown): Cursor | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(content)) return undefined
  const [order, ...carried] = content as unknown[]
  if (typeof order !== 'string') return undefined
  const values = carried.map(storedValueOf)
  return values.some((value) => value === undefined)
    ? undefined
    : { order, values: values as readonly StoredValue[] }
}
