import { ActionIcon, Text } from '@mantine/core'
import { IconArrowsDiagonal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../language/locale.ts'
import classes from './data.module.css'
import { type ShownValue, showValue } from './show-value.ts'
import type { Field } from './tables.ts'

interface ValueCellProps {
  readonly value: unknown
  readonly field: Field
  /** How wide its place is, in pixels. */
  readonly width: number
  /** Whether what is inside can be reached with the Tab key. */
  readonly isReachable: boolean
  /** Shows a value that has no place in a row. */
  readonly onShowWhole: (field: Field, text: string) => void
}

/** A value in one line; what has no place in it is shown on demand. */
export function ValueCell({ value, field, width, isReachable, onShowWhole }: ValueCellProps) {
  const { t } = useTranslation('data')
  const shown = showValue(value, field)
  const full = fullText(shown, width)
  return (
    <>
      <span className={classes.value}>
        <ShownText shown={shown} />
      </span>
      {full === undefined ? null : (
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          tabIndex={isReachable ? 0 : -1}
          aria-label={t('value.whole', { field: field.name })}
          onClick={() => onShowWhole(field, full)}
        >
          <IconArrowsDiagonal size={14} />
        </ActionIcon>
      )}
    </>
  )
}

/** What a width has no place for: a rough guess suffices; undefined if it has place for everything. */
function fullText(shown: ShownValue, width: number): string | undefined {
  if ('full' in shown && shown.full !== undefined) return shown.full
  return 'text' in shown && shown.text.length * 7.6 > width - 24 ? shown.text : undefined
}

/** A value, without what leads to the whole of it. */
export function ShownText({ shown }: { readonly shown: ShownValue }) {
  const { t, i18n } = useTranslation('data')
  switch (shown.kind) {
    case 'null':
      return <Nothing>{t('value.null')}</Nothing>
    case 'empty':
      return <Nothing>{t('value.empty')}</Nothing>
    case 'boolean':
      return <>{shown.value ? t('value.true') : t('value.false')}</>
    case 'bytes':
      return <>{t('value.bytes', { count: shown.size, shown: shown.size.toLocaleString(i18n.language) })}</>
    case 'time':
      return (
        <time
          dateTime={shown.date?.toISOString()}
          title={localTime(shown.date, localeOf(i18n.language, navigator.languages))}
        >
          {shown.text}
        </time>
      )
    case 'json':
      return <code className={classes.json}>{shown.text}</code>
    default:
      return <bdi>{shown.text}</bdi>
  }
}

function Nothing({ children }: { readonly children: string }) {
  return (
    <Text span inherit c="dimmed" fs="italic">
      {children}
    </Text>
  )
}

/** The same time where the reader is. */
function localTime(date: Date | undefined, locale: string): string | undefined {
  if (date === undefined) return undefined
  const local = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' })
  return `UTC · ${local.format(date)}`
}
