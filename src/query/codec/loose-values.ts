/**
 * Columns that may contain values of any kind, whatever their type: several values may be shown as the same text, such
 * as a number and a text of its digits, or a text and bytes. Two values are equal if they are shown alike.
 */
import type { Affinity, Column, ColumnType } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/sql-value.ts'
import { parseBase64, parseBytes } from '../../util/bytes-text.ts'
import { storedTimestamp } from '../../util/date-time-text.ts'
import { numberForm } from './number-codecs.ts'

/** All values, in the form of the column's comparisons, that are shown as this one; empty if there are none. */
export function looseValues(
  { type }: Pick<Column, 'type'>,
  affinity: Affinity,
  value: unknown,
): readonly SqlValue[] {
  if (value instanceof Uint8Array) return [value]
  if (typeof value === 'boolean') return isNumeric.has(type) ? [value ? 1 : 0] : []
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !text.isWellFormed()) return []
  return [...bytesOf(type, text), ...othersOf(type, affinity, text)]
}

/** How many values a text represents at most, unless it is an `isOddText`. */
export function placeholdersOfLoose({ type }: Pick<Column, 'type'>, affinity: Affinity): number {
  if (type === 'binary') return affinity === 'none' ? 3 : 2
  return affinity === 'none' && !isNumeric.has(type) && type !== 'dateTime' ? 2 : 1
}

/**
 * Whether a text may represent a value outside the type of a column: bytes, a date of zeros, an infinite or a large
 * number.
 */
export function isOddText(value: unknown): boolean {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  return typeof text === 'string' && oddForm.test(text)
}

const oddForm = /^(?:data:;base64,|-?Infinity$|-?\d{16,}$|0000-|\d{4}-00|\d{4}-\d\d-00)/

const isNumeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'float', 'decimal', 'boolean'])

function bytesOf(type: ColumnType, text: string): readonly SqlValue[] {
  const bytes = type === 'binary' ? parseBase64(text) : parseBytes(text)
  return bytes === undefined ? [] : [bytes]
}

function othersOf(type: ColumnType, affinity: Affinity, text: string): readonly SqlValue[] {
  if (type === 'boolean' && /^(?:true|false|t|f)$/.test(text)) return [text.startsWith('t') ? 1 : 0]
  if (/^-?Infinity$/.test(text)) {
    if (affinity === 'text') return [text]
    // The first one is compared in orders.
    return isNumeric.has(type) ? [Number(text), text] : [text, Number(text)]
  }
  const number = type === 'float' && numberForm.test(text) ? Number(text) : numberOf(text)
  if (isNumeric.has(type)) return [number ?? text]
  const stored = type === 'dateTime' ? storedTimestamp(text) : text
  if (affinity === 'text' || number === undefined || String(number) !== text) return [stored]
  if (affinity === 'numeric' || type === 'dateTime') return [number]
  return Number.isSafeInteger(Number(text)) ? [text, number] : [text, number, Number(text)]
}

/** The number of a text: an integer of at most 64 bits exactly. */
function numberOf(text: string): number | bigint | undefined {
  if (!numberForm.test(text)) return undefined
  if (!/^[+-]?\d+$/.test(text)) return Number(text)
  const integer = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, integer) === integer ? integer : Number(text)
}
