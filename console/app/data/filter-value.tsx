import { Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { textInside, textOfValue, valueInside, valueOfText } from './conditions.ts'
import { isInside } from './filter-path.ts'
import type { Condition } from './filters.ts'
import { isNumber } from './show-value.ts'
import type { Field } from './tables.ts'
import { choicesOf } from './wanted.ts'

export interface FilterValueProps {
  readonly condition: Condition
  readonly field: Field | undefined
  readonly onChange: (value: unknown) => void
}

/** The value of a condition: chosen where there are only a few, otherwise written. */
export function FilterValue({ condition, field, onChange }: FilterValueProps) {
  const { t } = useTranslation('data')
  const { op, val } = condition
  const { read, show } = readingOf(condition, field)
  const choices = field && choicesOf(field)
  const label = t('filters.value')
  const text = show(val)
  if (op === 'in' || op === 'not in') {
    return (
      <TagsInput
        size="xs"
        miw={200}
        aria-label={label}
        placeholder={t('filters.values')}
        data={(choices ?? []).map(textOfValue)}
        value={Array.isArray(val) ? val.map(show) : []}
        onChange={(texts) => onChange(texts.map((one) => valueIn(choices, one) ?? read(one)))}
      />
    )
  }
  if (choices !== undefined && (op === '==' || op === '!=')) {
    const isBoolean = field?.entity_type === 'boolean' || field?.kind === 'boolean'
    const nameOf = (choice: unknown) =>
      isBoolean ? t(choice ? 'value.true' : 'value.false') : textOfValue(choice)
    return (
      <Select
        size="xs"
        aria-label={label}
        data={choices.map((choice) => ({ value: textOfValue(choice), label: nameOf(choice) }))}
        value={text === '' ? null : text}
        onChange={(chosen) => onChange(valueIn(choices, chosen ?? '') ?? '')}
      />
    )
  }
  if (op === 'between' && Array.isArray(val)) {
    return [t('filters.from'), t('filters.to')].map((name, end) => (
      <WrittenValue
        key={name}
        label={name}
        text={show(val[end])}
        field={field}
        onChange={(written) => onChange([0, 1].map((place) => (place === end ? read(written) : val[place])))}
      />
    ))
  }
  return (
    <WrittenValue label={label} text={text} field={field} onChange={(written) => onChange(read(written))} />
  )
}

/** How values are written and read. */
function readingOf({ key }: Condition, field: Field | undefined) {
  return isInside(key)
    ? { read: valueInside, show: textInside }
    : { read: (text: string) => valueOfText(text, field), show: textOfValue }
}

interface WrittenValueProps {
  readonly label: string
  readonly text: string
  readonly field: Field | undefined
  readonly onChange: (text: string) => void
}

/** A value that is written, by the keyboard or with a calendar. */
function WrittenValue({ label, text, field, onChange }: WrittenValueProps) {
  const isMoment = field?.kind === 'dateTime' && /^$|^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
  const isDate = field?.kind === 'date' && /^$|^\d{4}-\d\d-\d\d$/.test(text)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      type={isMoment ? 'datetime-local' : isDate ? 'date' : 'text'}
      {...(isMoment ? { step: 1 } : {})}
      {...(field !== undefined && isNumber(field) ? { inputMode: 'decimal' } : {})}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function valueIn(choices: readonly unknown[] | undefined, text: string): unknown {
  return choices?.find((choice) => textOfValue(choice) === text)
}
