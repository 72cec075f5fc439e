import { parseDateTime } from '../../../util/date-time-text.ts'

/** The name under which `momentOf` is known to SQL on every connection. */
export const momentFunction = 'gatehouse_moment'

/**
 * A date and time in the one form that is compared and sorted by (`YYYY-MM-DD hh:mm:ss[.ffffff]` in UTC).
 * SQLite has no type for it: others keep texts of any form. What is no date and time stays as it is.
 */
export function momentOf(value: unknown): string | number | bigint | Uint8Array | null {
  if (typeof value === 'string') return parseDateTime(value) ?? value
  return value as number | bigint | Uint8Array | null
}
