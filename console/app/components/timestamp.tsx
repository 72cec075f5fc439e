import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface TimestampProps {
  /** ISO 8601 with an offset; null for never. */
  readonly time: string | null | undefined
  /** What stands for null. */
  readonly otherwise?: string
}

/** A time in the language and time zone of the browser; its tooltip says the zone, and the same in UTC. */
export function Timestamp({ time, otherwise = '–' }: TimestampProps) {
  const { i18n } = useTranslation()
  if (time === null || time === undefined) return <>{otherwise}</>
  const date = new Date(time)
  const local = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })
  const { timeZone } = local.resolvedOptions()
  return (
    <Tooltip label={`${timeZone} · ${date.toISOString().replace('.000', '')}`}>
      <time dateTime={time}>{local.format(date)}</time>
    </Tooltip>
  )
}
