import type { Column } from '../../database/database-schema.ts'
import {
  canonicalForm,
  parseDate,
  parseDateTime,
  parseZeroDate,
  showTimestamp,
} from '../../util/date-time-text.ts'
import { parseUnboundedDate, showUnboundedDate } from '../../util/unbounded-date-text.ts'
import type { Codecs, ColumnCodec, Held } from './column-codec.ts'
import { showText } from './text-codecs.ts'

/** Every product stores `YYYY-MM-DD hh:mm:ss[.ffffff]`; in text columns, other programs may use other forms. */
function showDateTime(value: Held): string {
  if (typeof value === 'string' && canonicalForm.test(value)) return quotedTimestamp(value)
  return typeof value === 'string' ? JSON.stringify(showUnboundedDate(showTimestamp(value))) : showText(value)
}

/** The same result for a text in the stored form, without parsing it. */
function quotedTimestamp(stored: string): string {
  return `"${stored.slice(0, 10)}T${stored.slice(11)}"`
}

function showDate(value: Held): string {
  return typeof value === 'string' ? JSON.stringify(showUnboundedDate(value)) : showText(value)
}

function holdDateTime(value: unknown, { unbounded, zeroDates }: Column): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    parseDateTime(value) ??
    (unbounded && parseUnboundedDate(value, 'with time')) ??
    (zeroDates && parseZeroDate(value, 'with time'))
  )
}

function holdDate(value: unknown, { unbounded, zeroDates }: Column): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    parseDate(value) ??
    (unbounded && parseUnboundedDate(value, 'day only')) ??
    (zeroDates && parseZeroDate(value, 'day only'))
  )
}

/** Dates, with and without a time. */
export const dateCodecs: Codecs<'dateTime' | 'date'> = {
  dateTime: {
    takes: 'a date and time such as "2026-01-31T09:30:00"',
    plain: 'dateTime',
    show: showDateTime,
    hold: holdDateTime,
  },
  date: { takes: 'a date such as "2026-01-31"', plain: 'date', show: showDate, hold: holdDate },
}

/** The same for a column that may contain anything: no text represents a year of more than four digits. */
export const looseDateCodecs: Codecs<'dateTime' | 'date'> = {
  dateTime: {
    ...dateCodecs.dateTime,
    show: (value) => {
      if (typeof value !== 'string') return showText(value)
      return canonicalForm.test(value) ? quotedTimestamp(value) : JSON.stringify(showTimestamp(value))
    },
  },
  date: { ...dateCodecs.date, show: showText } satisfies ColumnCodec,
}
