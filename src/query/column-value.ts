import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { parseDate, parseDateTime } from '../util/date-time-text.ts'
import { parseDecimal } from '../util/decimal-text.ts'
import { parseUnboundedDate } from '../util/unbounded-date-text.ts'
import { isWellFormedText } from '../util/well-formed-text.ts'

/**
 * A value from a request as the column compares it. A value of another type is converted only when
 * nothing is lost (`5` for a text, `"5"` for a number, `true` for a whole number); otherwise
 * `PARAMETER_INVALID` names the place, what the column takes and what came.
 */
export function toColumnValue(column: Column, value: unknown, label: string): SqlValue {
  const converted = columnValueOf(column, value)
  if (converted !== undefined) return converted
  const detail = `${label}: "${column.name}" takes ${expectations[column.type]}, not ${describe(value)}.`
  throw new AppError('PARAMETER_INVALID', { detail })
}

const expectations: Readonly<Record<Column['type'], string>> = {
  string: 'a text',
  uuid: 'a UUID such as "018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f"',
  integer: 'a whole number',
  bigint: 'a whole number of at most 64 bits',
  float: 'a number',
  decimal: 'a decimal number',
  boolean: 'true or false',
  dateTime: 'a date and time such as "2026-01-31T09:30:00"',
  date: 'a date such as "2026-01-31"',
  time: 'a time such as "09:30:00"',
  json: 'a text',
  binary: 'bytes in base64',
  other: 'a text',
}

function describe(value: unknown): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** The same for those who say themselves what is wrong: undefined for a value that the column cannot hold. */
export function columnValueOf(column: Column, value: unknown): SqlValue | undefined {
  switch (column.type) {
    case 'string':
    case 'json':
    case 'other':
      return toText(value)
    case 'uuid':
      return typeof value === 'string' && uuidForm.test(value) ? value.toLowerCase() : undefined
    case 'integer':
    case 'bigint':
      return toInteger(value, column.unsigned === true)
    case 'float':
      return toFloat(value) ?? toUnboundedNumber(column, value)
    case 'decimal':
      return toDecimal(value) ?? toUnboundedNumber(column, value)
    case 'boolean':
      return toBoolean(value)
    case 'dateTime':
      return typeof value === 'string'
        ? (parseDateTime(value) ?? toUnboundedDate(column, value, 'with time'))
        : undefined
    case 'date':
      return typeof value === 'string'
        ? (parseDate(value) ?? toUnboundedDate(column, value, 'day only'))
        : undefined
    case 'time':
      return typeof value === 'string' ? toTime(value) : undefined
    case 'binary':
      return typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
        ? Buffer.from(value, 'base64')
        : undefined
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** With seconds, and no zeros at the end. Some products keep lengths of time as times: below zero, and of many hours. */
function toTime(text: string): string | undefined {
  const match = /^(-?\d{2,3}:[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/.exec(text)
  if (match === null) return undefined
  const [, minutes = '', seconds = '00', fraction = ''] = match
  const digits = fraction.replace(/0+$/, '')
  return `${minutes}:${seconds}${digits === '' ? '' : `.${digits}`}`
}

function toUnboundedNumber({ unbounded }: Column, value: unknown): string | undefined {
  return unbounded && typeof value === 'string' && /^(NaN|-?Infinity)$/.test(value) ? value : undefined
}

function toUnboundedDate(
  { unbounded }: Column,
  value: string,
  precision: 'with time' | 'day only',
): string | undefined {
  return unbounded ? parseUnboundedDate(value, precision) : undefined
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return isWellFormedText(value) ? value : undefined
  return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : undefined
}

/** Below 0 an unsigned column has no values, but may be compared with them. */
const least = -(2n ** 63n)
const greatest = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n }

function toInteger(value: unknown, unsigned: boolean): SqlValue | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Number.isSafeInteger(value)) return value as number
  if (typeof value !== 'bigint' && !(typeof value === 'string' && /^-?\d{1,20}$/.test(value)))
    return undefined
  const integer = BigInt(value)
  return integer >= least && integer <= greatest[unsigned ? 'unsigned' : 'signed'] ? integer : undefined
}

const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

function toFloat(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const isNumberText = typeof value === 'string' && numberForm.test(value)
  const number = isNumber || isNumberText ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

function toDecimal(value: unknown): string | undefined {
  if (typeof value === 'string') return parseDecimal(value)
  return typeof value === 'number' || typeof value === 'bigint' ? parseDecimal(String(value)) : undefined
}

function toBoolean(value: unknown): number | undefined {
  if (value === true || value === 1 || value === 'true') return 1
  if (value === false || value === 0 || value === 'false') return 0
  return undefined
}
