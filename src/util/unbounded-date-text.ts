/**
 * Dates and times of any year, and infinite ones, as text. A database that has these writes years
 * before 1 as `0044-03-15 BC`; they are shown as in ISO 8601 with a sign and at least four digits,
 * where the year before 1 is 0: `-0043-03-15`, `+10000-01-01`. Infinite ones are `infinity` and
 * `-infinity` in both.
 */
import { showDateTime } from './date-time-text.ts'

/** The shown form of a stored one. */
export function showUnboundedDate(stored: string): string {
  const match = /^(\d+)(-\d\d-\d\d.*?)( BC)?$/.exec(stored)
  if (match === null) return stored
  const [, year = '', rest = '', beforeChrist] = match
  const shown = showDateTime(rest)
  if (beforeChrist !== undefined) {
    const number = Number(year) - 1
    return `${number === 0 ? '+' : '-'}${String(number).padStart(4, '0')}${shown}`
  }
  return year.length > 4 ? `+${year}${shown}` : `${year}${shown}`
}

const form = /^([+-]?)(\d{4,7})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?( BC)?$/

/** Converts the shown or the stored form to the stored one; undefined for what is neither. */
export function parseUnboundedDate(text: string, precision: 'with time' | 'day only'): string | undefined {
  if (text === 'infinity' || text === '-infinity') return text
  const match = form.exec(text)
  if (match === null) return undefined
  const [, sign = '', year = '', month = '', day = '', time, beforeChrist] = match
  if (time !== undefined && precision === 'day only') return undefined
  const number = sign === '-' ? -Number(year) : Number(year)
  const isBefore = beforeChrist !== undefined || number < 1
  const stored = beforeChrist === undefined && number < 1 ? 1 - number : number
  const counted = isBefore ? 1 - stored : stored
  if (!isDay(counted, Number(month), Number(day)) || (time !== undefined && !isTime(time))) return undefined
  const clock = time === undefined ? '' : ` ${time}`
  return `${String(stored).padStart(4, '0')}-${month}-${day}${clock}${isBefore ? ' BC' : ''}`
}

/** Whether the day exists, in the proleptic Gregorian calendar; the year before 1 is 0. */
function isDay(year: number, month: number, day: number): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= days
}

function isTime(time: string): boolean {
  const [hour = '', minute = '', second = '0'] = time.split(':')
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}
