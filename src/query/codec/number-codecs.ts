import type { Column } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/sql-value.ts'
import { parseDecimal } from '../../util/decimal-text.ts'
import type { Codecs, Held } from './column-codec.ts'
import { showText } from './text-codecs.ts'

/** As in JSON, which has a negative zero; infinite numbers and NaN are texts. */
function showNumber(value: Held): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return showText(value)
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}

/** A number if every JSON reader keeps it exactly, otherwise a text. */
function showBigInt(value: Held): string {
  const digits = value instanceof Uint8Array ? '' : String(value)
  return /^(?:0|-?[1-9]\d*)$/.test(digits) && Number.isSafeInteger(Number(digits)) ? digits : showText(value)
}

/** Numbers of products without exact decimals are shown without an exponent, too. */
function showDecimal(value: Held): string {
  return showText(typeof value === 'number' ? (parseDecimal(String(value)) ?? value) : value)
}

/** Native booleans are 1 and 0; on products without a boolean type, other programs may have stored words. */
function showBoolean(value: Held): string {
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 'false' : 'true'
  if (value === 'f' || value === 'false') return 'false'
  const isTrue = value === 't' || value === 'true' || (typeof value === 'string' && /^-?\d+$/.test(value))
  return isTrue ? 'true' : showText(value)
}

/** An unsigned column has no values below 0, but may be compared with them. */
const least = -(2n ** 63n)
const greatest = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n }

function holdInteger(value: unknown, { unsigned }: Column): SqlValue | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Number.isSafeInteger(value)) return value as number
  if (typeof value !== 'bigint' && !(typeof value === 'string' && /^-?\d{1,20}$/.test(value)))
    return undefined
  const integer = BigInt(value)
  return integer >= least && integer <= greatest[unsigned ? 'unsigned' : 'signed'] ? integer : undefined
}

/** Any number as JSON and programs write it. */
export const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

function holdFloat(value: unknown, column: Column): number | string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const isNumberText = typeof value === 'string' && numberForm.test(value)
  const number = isNumber || isNumberText ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) return holdNoNumber(value, column)
  // A 32-bit number is shown with the fewest digits that identify it.
  const single = column.single ? Math.fround(number) : number
  return Number.isFinite(single) ? single : number
}

/** More than any product stores. */
const mostDigits = 200_000

function holdDecimal(value: unknown, column: Column): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string') return undefined
  return parseDecimal(text, column.unbounded ? mostDigits : undefined) ?? holdNoNumber(text, column)
}

function holdNoNumber(value: unknown, { unbounded }: Column): string | undefined {
  return unbounded && typeof value === 'string' && /^(NaN|-?Infinity)$/.test(value) ? value : undefined
}

function holdBoolean(value: unknown): number | undefined {
  if (value === true || value === 1 || value === 'true' || value === '1') return 1
  if (value === false || value === 0 || value === 'false' || value === '0') return 0
  return undefined
}

/** Numbers, and types that are numbers in some database. */
export const numberCodecs: Codecs<'integer' | 'bigint' | 'float' | 'decimal' | 'boolean'> = {
  integer: { takes: 'a whole number', plain: 'number', show: showNumber, hold: holdInteger },
  bigint: {
    takes: 'a whole number of at most 64 bits',
    plain: 'safeInteger',
    show: showBigInt,
    hold: holdInteger,
  },
  float: { takes: 'a number', plain: 'number', show: showNumber, hold: holdFloat },
  decimal: { takes: 'a decimal number', plain: 'text', show: showDecimal, hold: holdDecimal },
  boolean: { takes: 'true or false', plain: 'truth', show: showBoolean, hold: holdBoolean },
}
