/**
 * Dates and times as text, in UTC without an offset. Stored and compared as
 * `YYYY-MM-DD hh:mm:ss[.ffffff]`, without trailing zeros, so that texts sort by time; shown with a
 * `T` in place of the space.
 */

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTimeForm =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/** The date as given if it is a valid one of the years 1 to 9999; otherwise undefined. */
export function parseDate(text: string): string | undefined {
  const match = dateForm.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= 1 && day >= 1 && day <= daysIn(month, year) ? text : undefined
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 0 if there is no such month. */
function daysIn(month: number, year: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0)
}

/**
 * Converts ISO 8601 text, with or without an offset (UTC without one), to the stored form; a date
 * alone means midnight. Undefined if it is not a valid time of the years 1 to 9999, or is finer
 * than a microsecond.
 */
export function parseDateTime(text: string): string | undefined {
  if (parseDate(text) !== undefined) return `${text} 00:00:00`
  const match = dateTimeForm.exec(text)
  if (match === null) return undefined
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', offset = 'Z'] = match
  const digits = fraction.replace(/0+$/, '')
  if (parseDate(date) === undefined || digits.length > 6) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const whole = inUtc(`${date} ${hour}:${minute}:${second}`, offset)
  if (whole === undefined) return undefined
  return digits === '' ? whole : `${whole}.${digits}`
}

const looseForm = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:.*)$/

/**
 * The form in which a text that another program wrote as a date and time is compared: the stored
 * form of its timestamp; for an invalid one, such as the 30th of February, the text with a space
 * before the time; for any other text the text itself.
 */
export function storedTimestamp(text: string): string {
  const timestamp = parseDateTime(text)
  if (timestamp !== undefined) return timestamp
  const match = looseForm.exec(text)
  return match === null ? text : `${match[1]} ${match[2]}`
}

/** A text in the stored form. */
export const canonicalForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{0,5}[1-9])?$/

/** The shown form of such a text. */
export function showTimestamp(text: string): string {
  const stored = canonicalForm.test(text) ? text : storedTimestamp(text)
  return looseForm.test(stored) ? `${stored.slice(0, 10)}T${stored.slice(11)}` : stored
}

const zeroForm =
  /^(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01])(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?)?$/

/** The stored form of a date and time, or of a date alone, whose year, month or day is 0. */
export function parseZeroDate(text: string, precision: 'with time' | 'day only'): string | undefined {
  const match = zeroForm.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour, minute = '', second = '00', fraction = ''] = match
  if (year !== '0000' && month !== '00' && day !== '00') return undefined
  const date = `${year}-${month}-${day}`
  if (precision === 'day only') return hour === undefined ? date : undefined
  const digits = fraction.replace(/0+$/, '')
  return `${date} ${hour ?? '00'}:${minute || '00'}:${second}${digits === '' ? '' : `.${digits}`}`
}

/** The shown form of a stored date and time. */
export function showDateTime(stored: string): string {
  return stored.replace(' ', 'T')
}

/** A timestamp in the stored form. */
export function dateTimeOf(timestamp: Date): string {
  return parseDateTime(timestamp.toISOString()) ?? ''
}

function inUtc(text: string, offset: string): string | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset)
  if (match === null) return text
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? '0')
  if (minutes > 24 * 60) return undefined
  const milliseconds =
    Date.parse(`${text.replace(' ', 'T')}Z`) - (match[1] === '+' ? minutes : -minutes) * 60_000
  const year = new Date(milliseconds).getUTCFullYear()
  if (year < 1 || year > 9999) return undefined
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}
