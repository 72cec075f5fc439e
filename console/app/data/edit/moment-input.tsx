import { ActionIcon, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale } from '../../language/locale.ts'
import classes from './edit.module.css'
import { inputKindOf } from './entered.ts'
import { enteredIn, inputProps, type ValueInputProps } from './input-props.ts'

/**
 * A date, or a date with time. It is a text, since the inputs of browsers have neither microseconds nor all years; theirs is
 * opened by a button.
 */
export function MomentInput(props: ValueInputProps) {
  const { field, value, onChange, description, isReadOnly = false, isInCell = false } = props
  const { t } = useTranslation('data')
  const locale = useLocale()
  const picker = useRef<HTMLInputElement>(null)
  const hasTime = inputKindOf(field) === 'moment'
  const local = hasTime ? localTime(value ?? '', locale) : undefined
  const zone = hasTime ? t('edit.utc') : undefined
  const told = [description, zone, local].filter((part) => part !== undefined && part !== '').join(' · ')
  return (
    <>
      <TextInput
        {...inputProps({ ...props, description: isInCell ? undefined : told })}
        value={value ?? ''}
        onChange={(event) => onChange(enteredIn(event.currentTarget.value, props))}
        rightSection={
          isReadOnly ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('edit.pickTime', { field: field.name })}
              onClick={() => picker.current?.showPicker()}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          )
        }
      />
      <input
        ref={picker}
        className={classes.picker}
        type={hasTime ? 'datetime-local' : 'date'}
        step={hasTime ? 1 : undefined}
        tabIndex={-1}
        aria-hidden="true"
        value={pickable(value ?? '', hasTime)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}

/** What the browser's own choice can show of a text: years of four digits, and no fractions. */
function pickable(text: string, hasTime: boolean): string {
  const form = hasTime ? /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?/ : /^\d{4}-\d\d-\d\d$/
  return form.exec(text)?.[0] ?? ''
}

/** The same time where the reader is; undefined if the text is none that the browser knows. */
function localTime(text: string, locale: string): string | undefined {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const date = new Date(hasZone ? text : `${text}Z`)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(date.getTime())) return undefined
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }).format(date)
}
