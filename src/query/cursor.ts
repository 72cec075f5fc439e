/**
 * A cursor says where a row stands in a sorted list by the row's own values, so that it stays right
 * while other rows come and go. It also names the list it belongs to: a cursor of another table or
 * order is told apart and refused.
 */
import { createHash } from 'node:crypto'
import type { Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import type { OrderTerm } from './select-plan.ts'

export interface Cursor {
  /** `orderTag` of the list that the cursor belongs to. */
  readonly order: string
  /** One value for each term of the order; 64-bit integers and decimals as text. */
  readonly values: readonly (string | number | null)[]
}

/** A short name for the order of a table's rows; part of every cursor. */
export function orderTag(table: Table, orderBy: readonly OrderTerm[]): string {
  const terms = orderBy.map(({ column, direction }) => [column.name, direction])
  return createHash('sha256')
    .update(JSON.stringify([table.id, terms]))
    .digest('base64url')
    .slice(0, 6)
}

/** Base64url of a JSON list: the order tag, then the values. */
export function encodeCursor(order: string, values: readonly SqlValue[]): string {
  const plain = values.map((value) =>
    value instanceof Uint8Array
      ? Buffer.from(value).toString('base64')
      : typeof value === 'bigint'
        ? value.toString()
        : value,
  )
  return Buffer.from(JSON.stringify([order, ...plain])).toString('base64url')
}

/** Undefined for anything that `encodeCursor` cannot have made. */
export function decodeCursor(text: unknown): Cursor | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(content)) return undefined
  const [order, ...values] = content as unknown[]
  if (typeof order !== 'string' || !values.every(isCursorValue)) return undefined
  return { order, values }
}

function isCursorValue(value: unknown): value is string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number'
}
