import { parseDateTime, storedTimestamp } from '../../../util/date-time-text.ts'

type Stored = string | number | bigint | Uint8Array | null

/** The name of `timestampOf` in SQL, on every connection. */
export const timestampFunction = 'gatehouse_timestamp'

/** The names of `windowStart` and `windowEnd` in SQL. */
export const timestampWindow = { from: 'gatehouse_timestamp_from', to: 'gatehouse_timestamp_to' } as const

/**
 * A date and time in the form that is compared and sorted (`YYYY-MM-DD hh:mm:ss[.ffffff]` in UTC). SQLite has no such
 * type: other programs store texts of any form. Anything that is not a date and time stays as it is.
 */
export function timestampOf(value: unknown): Stored {
  return typeof value === 'string' && !isOurs(value) ? storedTimestamp(value) : (value as Stored)
}

/** Whether a text has the form that we write, as nearly all have; called for each row of a sort. */
function isOurs(text: string): boolean {
  const { length } = text
  if (length < 19 || length > 26 || text.charCodeAt(10) !== blank || text.charCodeAt(16) !== colon)
    return false
  if (length === 19) return true
  if (text.charCodeAt(19) !== point || text.charCodeAt(length - 1) === zero) return false
  for (let at = 20; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < zero || code > nine) return false
  }
  return length > 20
}

const [blank, point, zero, nine, colon] = [0x20, 0x2e, 0x30, 0x39, 0x3a]

const dayMs = 86_400_000

/**
 * No text of this timestamp is lower: because of its offset it may begin with the day before. If it is not a timestamp,
 * the value itself.
 */
export function windowStart(value: unknown): Stored {
  const day = dayOf(value)
  if (day === undefined) return windowOfOther(value, ' ')
  return day.getTime() < -62_135_596_800_000 + dayMs
    ? ''
    : new Date(day.getTime() - dayMs).toISOString().slice(0, 10)
}

/** No text of this timestamp is higher. */
export function windowEnd(value: unknown): Stored {
  const day = dayOf(value)
  if (day === undefined) return windowOfOther(value, 'u')
  return day.getTime() > 253_402_214_400_000 - 2 * dayMs
    ? ':'
    : new Date(day.getTime() + 2 * dayMs).toISOString().slice(0, 10)
}

function dayOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || parseDateTime(value) === undefined) return undefined
  return new Date(`${value.slice(0, 10)}T00:00:00Z`)
}

/** A text that looks like a date and time but is not valid is stored with a blank or a letter before the time. */
function windowOfOther(value: unknown, sign: string): Stored {
  if (typeof value !== 'string' || storedTimestamp(value.replace(' ', 'T')) !== value) return value as Stored
  return value[10] === ' ' ? `${value.slice(0, 10)}${sign}` : value
}
