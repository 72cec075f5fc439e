import { parseDateTime, showDateTime } from '../util/date-time-text.ts'

/** What is wrong with a text that is no timestamp. */
export const notATimestamp =
  'A date and time such as "2027-01-31T09:30:00" (UTC) or "2027-01-31T10:30:00+01:00" is expected here.'

/** A timestamp that a client sent: ISO 8601, in UTC without an offset. Undefined if it is none. */
export function readTimestamp(text: string): Date | undefined {
  const stored = parseDateTime(text)
  return stored === undefined ? undefined : new Date(`${showDateTime(stored)}Z`)
}
