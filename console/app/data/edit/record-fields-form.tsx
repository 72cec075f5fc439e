import { Stack } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { Relation, Table } from '../tables.ts'
import { FieldInput } from './field-input.tsx'
import type { ReferenceSiblings } from './input-props.ts'
import type { RecordDraft } from './record-draft.ts'
import { referenceOf, sharedReferenceOf } from './referable.ts'
import { type WritableField, writableFields } from './stored-record.ts'

interface RecordFieldsFormProps {
  readonly table: Table
  readonly draft: RecordDraft
  readonly mistakes: Readonly<Record<string, string>>
  readonly isNew: boolean
  /** Always the same function: inputs of other fields are not drawn again. */
  readonly onEnter: (values: RecordDraft) => void
}

/** An input for each field that may be written. */
export function RecordFieldsForm({ table, draft, mistakes, isNew, onEnter }: RecordFieldsFormProps) {
  const inputs = useMemo(() => inputsOf(table), [table])
  const isFixed = (field: WritableField) => !isNew && field.immutable === true
  const fields = inputs.map(({ field }) => field)
  const byName = new Map(fields.map((field) => [field.name, field]))
  const siblings: ReferenceSiblings = {
    values: Object.fromEntries(fields.map(({ name, api_name: own }) => [name, draft[own]])),
    fixed: new Set(fields.filter(isFixed).map(({ name }) => name)),
    onPick: (values) =>
      onEnter(
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [byName.get(name)?.api_name, value]),
        ),
      ),
  }
  return (
    <Stack gap="md" maw="44rem">
      {inputs.map(({ field, reference, isShared }) => (
        <OneField
          key={field.name}
          field={field}
          value={draft[field.api_name]}
          reference={reference}
          siblings={isShared ? siblings : undefined}
          error={mistakes[field.api_name]}
          isNew={isNew}
          isFixed={isFixed(field)}
          onEnter={onEnter}
        />
      ))}
    </Stack>
  )
}

interface FormInput {
  readonly field: WritableField
  readonly reference: Relation | undefined
  /** Whether several fields make the reference together. */
  readonly isShared: boolean
}

function inputsOf(table: Table): readonly FormInput[] {
  const fields = writableFields(table)
  const inForm = new Set(fields.map(({ name }) => name))
  return fields.map((field) => {
    const single = referenceOf(table, field.name)
    const shared = single === undefined ? sharedReferenceOf(table, field.name, inForm) : undefined
    return { field, reference: single ?? shared, isShared: shared !== undefined }
  })
}

interface OneFieldProps extends Omit<FormInput, 'isShared'> {
  readonly value: RecordDraft[string]
  readonly siblings: ReferenceSiblings | undefined
  readonly error: string | undefined
  readonly isNew: boolean
  readonly isFixed: boolean
  readonly onEnter: (values: RecordDraft) => void
}

/** A table may have hundreds of fields: only what has changed is drawn again. */
const OneField = memo(({ field, isNew, isFixed, onEnter, ...input }: OneFieldProps) => (
  <div data-field={field.api_name}>
    <FieldInput
      {...input}
      field={field}
      isOptional={isNew}
      isReadOnly={isFixed}
      onChange={(value) => onEnter({ [field.api_name]: value })}
    />
  </div>
))
