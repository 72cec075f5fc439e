/**
 * Values of rows that clients get and send back in cursors and GlobalIds: as the database stores them, however they
 * are shown. In JSON a text is a text, a number a number, and bytes are a list with one text in base64.
 */
import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { isWellFormedText } from '../util/well-formed-text.ts'

/** A value from a cursor or GlobalId. */
export type StoredValue = string | number | Uint8Array | null

/** A value of a row as JSON. */
export function carriedOf(value: SqlValue): string | number | null | readonly [string] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('base64')]
  // JSON has no infinite numbers.
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? value.toString()
    : value
}

/** Undefined for values that `carriedOf` cannot have made. */
export function storedValueOf(carried: unknown): StoredValue | undefined {
  if (carried === null || typeof carried === 'string' || typeof carried === 'number') return carried
  const [text, ...others] = Array.isArray(carried) ? (carried as unknown[]) : []
  if (typeof text !== 'string' || others.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  return Buffer.from(text, 'base64')
}

/** Converts the value for a comparison with the column; undefined if no row of the column can have had it. */
export function boundValueOf(column: Column, stored: StoredValue): SqlValue | undefined {
  if (!column.storedApart) return shownValueOf(column, stored)
  if (typeof stored !== 'string') return stored
  const rest = stored.slice(1)
  switch (stored[0]) {
    case 't':
      return rest.isWellFormed() ? rest : undefined
    case 'i':
      return /^-?\d{1,19}$/.test(rest) ? integerOf(BigInt(rest)) : undefined
    default:
      return /^-?Infinity$/.test(stored) ? Number(stored) : undefined
  }
}

/** A value as it is shown. */
function shownValueOf({ type, withNul, loose }: Column, stored: StoredValue): SqlValue | undefined {
  const isLoose = loose !== undefined
  if (stored instanceof Uint8Array) return type === 'binary' || isLoose ? stored : undefined
  if (typeof stored !== 'string') return stored
  if (type === 'bigint' || type === 'integer') return /^-?\d{1,20}$/.test(stored) ? BigInt(stored) : undefined
  return isWellFormedText(stored) || ((withNul || isLoose) && stored.isWellFormed()) ? stored : undefined
}

const bound = 2n ** 63n

function integerOf(value: bigint): bigint | undefined {
  return value >= -bound && value < bound ? value : undefined
}
