import { useLocale } from '../language/locale.ts'

interface TimestampProps {
  /** ISO 8601 with an offset; null for never. */
  readonly time: string | null | undefined
  /** What stands for null. */
  readonly otherwise?: string
}

/** A time in the chosen language, and in the region and the time zone of the browser; its tooltip says the zone, and the same in UTC. */
export function Timestamp({ time, otherwise = '–' }: TimestampProps) {
  const locale = useLocale()
  if (time === null || time === undefined) return <>{otherwise}</>
  const date = new Date(time)
  const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const { timeZone } = local.resolvedOptions()
  return (
    <time dateTime={time} title={`${timeZone} · ${date.toISOString().replace('.000', '')}`}>
      {local.format(date)}
    </time>
  )
}
