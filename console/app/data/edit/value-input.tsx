import { NativeSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../components/code-editor.tsx'
import { textOfValue } from '../conditions.ts'
import { BytesInput } from './bytes-input.tsx'
import { choicesOfField, inputKindOf } from './entered.ts'
import { enteredIn, inputProps, type ValueInputProps } from './input-props.ts'
import { asInTextarea, lineEndsOf } from './line-ends.ts'
import { MomentInput } from './moment-input.tsx'
import { ReferenceInput } from './reference-input.tsx'

/** The input of a field, by its type. */
export function ValueInput(props: ValueInputProps) {
  const { field, value, onChange, reference, label, description, error, isReadOnly = false } = props
  // An input of one line would lose the ends of lines.
  const [hasLines] = useState(() => /[\r\n]/.test(value ?? '') || /text|clob/i.test(field.native_type))
  const kind = inputKindOf(field)
  const mayHaveLines = kind === 'text' && hasLines && !props.isInCell && reference === undefined
  switch (mayHaveLines ? 'longText' : kind) {
    case 'choice':
      return props.isInCell ? <CellChoice {...props} /> : <ChoiceInput {...props} />
    case 'json':
      return (
        <CodeEditor
          label={label}
          language="json"
          value={value ?? ''}
          isReadOnly={isReadOnly}
          description={[description, props.placeholder].filter(Boolean).join(' · ')}
          error={error}
          onChange={(text) => {
            if (text !== (value ?? '')) onChange(text)
          }}
        />
      )
    case 'longText':
      return <LongTextInput {...props} />
    case 'bytes':
      return <BytesInput {...props} />
    case 'moment':
    case 'date':
      return <MomentInput {...props} />
    default:
      return reference === undefined ? (
        <TextInput
          {...inputProps(props)}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          value={value ?? ''}
          onChange={(event) => onChange(enteredIn(event.currentTarget.value, props))}
        />
      ) : (
        <ReferenceInput {...props} reference={reference} />
      )
  }
}

/** A text that is longer than this has an input of one size, since measuring it takes long. */
const longest = 20_000

function LongTextInput(props: ValueInputProps) {
  const { value, onChange } = props
  const isHuge = (value?.length ?? 0) > longest
  const [withLineEnds] = useState(() => lineEndsOf(value))
  return (
    <Textarea
      {...inputProps(props)}
      {...(isHuge
        ? { rows: 12 }
        : { autosize: true, minRows: inputKindOf(props.field) === 'text' ? 1 : 2, maxRows: 12 })}
      value={asInTextarea(value ?? '')}
      onChange={(event) => onChange(enteredIn(withLineEnds(event.currentTarget.value), props))}
    />
  )
}

/** The values that can be chosen, with the one that is there. */
function useChoices({ field, value }: Pick<ValueInputProps, 'field' | 'value'>) {
  const { t } = useTranslation('data')
  const known = (choicesOfField(field) ?? []).map((choice) => ({
    value: textOfValue(choice),
    label:
      typeof choice === 'boolean'
        ? t(choice ? 'value.true' : 'value.false')
        : textOfValue(choice) || t('value.empty'),
  }))
  const isOther = typeof value === 'string' && !known.some((choice) => choice.value === value)
  return isOther && value !== '' ? [...known, { value, label: value }] : known
}

function ChoiceInput(props: ValueInputProps) {
  const { t } = useTranslation('data')
  const choices = useChoices(props)
  return (
    <Select
      {...inputProps(props)}
      data={choices}
      searchable={choices.length > 10}
      allowDeselect={false}
      nothingFoundMessage={t('edit.noChoice')}
      value={props.value ?? null}
      onChange={(chosen) => {
        if (chosen !== null) props.onChange(chosen)
      }}
    />
  )
}

/** In a cell the keys of the browser's own choice suffice, and Enter is free. */
function CellChoice(props: ValueInputProps) {
  const { placeholder, readOnly: _readOnly, ...shared } = inputProps(props)
  const none =
    typeof props.value === 'string' && props.value !== '' ? [] : [{ value: '', label: placeholder }]
  return (
    <NativeSelect
      {...shared}
      data={[...none, ...useChoices(props)]}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
