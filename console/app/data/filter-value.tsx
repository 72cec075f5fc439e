import { Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { textOfValue, valueOfText } from './conditions.ts'
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
export function FilterValue({ condition: { op, val }, field, onChange }: FilterValueProps) {
  const { t } = useTranslation('data')
  const choices = field && choicesOf(field)
  const label = t('filters.value')
  const text = textOfValue(val)
  if (op === 'in' || op === 'not in') {
    return (
      <TagsInput
        size="xs"
        miw={200}
        aria-label={label}
        placeholder={t('filters.values')}
        data={(choices ?? []).map(textOfValue)}
        value={Array.isArray(val) ? val.map(textOfValue) : []}
        onChange={(texts) => onChange(texts.map((one) => valueIn(choices, one) ?? valueOfText(one, field)))}
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
      onChange={(event) => onChange(valueOfText(event.currentTarget.value, field))}
    />
  )
}

function valueIn(choices: readonly unknown[] | undefined, text: string): unknown {
  return choices?.find((choice) => textOfValue(choice) === text)
}
