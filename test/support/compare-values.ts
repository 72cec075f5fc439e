/** What the contract says about values as answers show them: which one is lower, and which conditions they meet. */
import type { ColumnType } from '../../src/database/database-schema.ts'

/** A condition of a filter, as clients write it. */
export type Operator =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'starts'
  | 'ends'
  | 'contains'
  | 'iequals'
  | 'istarts'
  | 'iends'
  | 'icontains'
  | 'between'
  | 'isnull'
  | 'in'
  | 'not in'

/** The types whose order the contract leaves to the database. */
export const isOrderedByDatabase = (type: ColumnType) => type === 'other'

/** Below 0 where `a` is lower, 0 where both are the same value, above 0 otherwise; null is the lowest. */
export function compareValues(type: ColumnType, a: unknown, b: unknown): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1)
  switch (type) {
    case 'integer':
    case 'bigint':
      return sign(wholeNumber(a) - wholeNumber(b))
    case 'float':
    case 'boolean':
      return Number(a) - Number(b) < 0 ? -1 : Number(a) > Number(b) ? 1 : 0
    case 'decimal':
      return compareDecimals(String(a), String(b))
    case 'date':
    case 'dateTime':
      return compareMoments(String(a), String(b))
    case 'binary':
      return Buffer.compare(Buffer.from(String(a), 'base64'), Buffer.from(String(b), 'base64'))
    default:
      return compareTexts(String(a), String(b))
  }
}

/** Whether a column's value meets a condition. What is neither true nor false in SQL is not met. */
export function meets(type: ColumnType, value: unknown, operator: Operator, wanted: unknown): boolean {
  if (operator === 'in' || operator === 'not in') return isAmong(type, value, operator, wanted as unknown[])
  if (operator === 'isnull') return (value === null) === Boolean(wanted)
  if (operator === 'between') {
    const [from, to] = wanted as readonly unknown[]
    return meets(type, value, '>=', from) && meets(type, value, '<=', to)
  }
  if (wanted === null) return (operator === '==' && value === null) || (operator === '!=' && value !== null)
  if (value === null) return false
  switch (operator) {
    case '==':
      return compareValues(type, value, wanted) === 0
    case '!=':
      return compareValues(type, value, wanted) !== 0
    case '<':
      return compareValues(type, value, wanted) < 0
    case '<=':
      return compareValues(type, value, wanted) <= 0
    case '>':
      return compareValues(type, value, wanted) > 0
    case '>=':
      return compareValues(type, value, wanted) >= 0
    case 'starts':
      return String(value).startsWith(String(wanted))
    case 'ends':
      return String(value).endsWith(String(wanted))
    case 'contains':
      return String(value).includes(String(wanted))
    case 'iequals':
      return lowered(value) === lowered(wanted)
    case 'istarts':
      return lowered(value).startsWith(lowered(wanted))
    case 'iends':
      return lowered(value).endsWith(lowered(wanted))
    case 'icontains':
      return lowered(value).includes(lowered(wanted))
  }
}

/** Each character in its lower case by Unicode's table of single characters. */
function lowered(value: unknown): string {
  return String(value).replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}

/** A null in the list is like no value, and nothing is known to be unlike it. */
function isAmong(
  type: ColumnType,
  value: unknown,
  operator: 'in' | 'not in',
  list: readonly unknown[],
): boolean {
  const values = list.filter((item) => item !== null)
  const among = value !== null && values.some((item) => compareValues(type, value, item) === 0)
  if (operator === 'in') return among
  return values.length === list.length && !among && (value !== null || list.length === 0)
}

function compareTexts(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(left.length - right.length)
}

function wholeNumber(value: unknown): bigint {
  return BigInt(value as string | number | bigint | boolean)
}

function compareDecimals(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  const scale = Math.max(left.scale, right.scale)
  const scaled = ({ digits, scale: own }: ReturnType<typeof partsOf>) => digits * 10n ** BigInt(scale - own)
  return sign(scaled(left) - scaled(right))
}

function partsOf(decimal: string): { readonly digits: bigint; readonly scale: number } {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(decimal)
  if (match === null) throw new Error(`${decimal} is no decimal number`)
  const [, minus = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(`${whole}${fraction}`) * (minus === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Texts without an offset are in UTC; a day is its midnight. */
function compareMoments(a: string, b: string): number {
  return sign(microsecondsOf(a) - microsecondsOf(b))
}

function microsecondsOf(text: string): bigint {
  const match = /^(.{10})(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (match === null) throw new Error(`${text} is no date and time`)
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = match
  if (day === '0000-00-00') return beforeAllDays
  const milliseconds = Date.parse(`${day}T${time}${offset}`)
  if (Number.isNaN(milliseconds)) throw new Error(`${text} is no date and time`)
  return BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

/** Where MySQL and MariaDB keep the date that stands for none. */
const beforeAllDays = -(10n ** 20n)

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0
}
