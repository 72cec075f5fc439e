import type { NamedValues } from './named-values.ts'
import { ParamRefused } from './param-refused.ts'

const styles = ['short', 'medium', 'long', 'full'] as const
type Style = (typeof styles)[number]

const tokens = /yyyy|MM|M|dd|d|HH|mm|ss|'[^']*'/g

/**
 * Formats a date: `2026-11-21` by default. A pattern is one of `short`, `medium`, `long`, `full` (as the `locale`
 * writes them; `time=true` adds the time), or made of yyyy MM M dd d HH mm ss and text in single quotes. `zone` is an
 * IANA time zone, by default UTC. Takes ISO 8601 texts, which are in UTC if they have no offset, and milliseconds
 * since 1970. Throws ParamRefused for other values.
 * offset is in UTC, and milliseconds since 1970. Throws ParamRefused for other values.
 */
export function formatDate(value: unknown, pattern: unknown, { locale, zone, time }: NamedValues): string {
  if (value === undefined || value === null || value === '') return ''
  const timestamp = timestampOf(value)
  const timeZone = typeof zone === 'string' ? zone : 'UTC'
  const style = styles.find((known) => known === pattern)
  if (style !== undefined) {
    const language = typeof locale === 'string' ? locale : 'en'
    return inStyle(style, language, timeZone, time === true).format(timestamp)
  }
  const parts = partsOf(timestamp, timeZone)
  const wanted = typeof pattern === 'string' ? pattern : 'yyyy-MM-dd'
  return wanted.replace(tokens, (token) => parts[token] ?? token.slice(1, -1))
}

function timestampOf(value: unknown): Date {
  const hasOffset = typeof value === 'string' && /(Z|[+-]\d\d:?\d\d)$/i.test(value)
  const isDateTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
  const timestamp =
    isDateTime && !hasOffset
      ? new Date(`${value.replace(' ', 'T')}Z`)
      : isDateTime || isDate || typeof value === 'number'
        ? new Date(value as string | number)
        : new Date(Number.NaN)
  if (Number.isNaN(timestamp.getTime()))
    throw new ParamRefused('date', value, 'a date such as 2026-11-21T14:00:00Z')
  return timestamp
}

function inStyle(style: Style, locale: string, timeZone: string, time: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: style,
    timeZone,
    ...(time ? { timeStyle: style === 'full' ? 'long' : style } : {}),
  })
}

function partsOf(timestamp: Date, timeZone: string): Readonly<Record<string, string>> {
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const found = new Map(format.formatToParts(timestamp).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? ''
  return {
    yyyy: part('year').padStart(4, '0'),
    MM: part('month'),
    M: String(Number(part('month'))),
    dd: part('day'),
    d: String(Number(part('day'))),
    HH: part('hour'),
    mm: part('minute'),
    ss: part('second'),
  }
}
