import { Stack } from '@mantine/core'
import type { Table } from '../tables.ts'
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
  readonly onEnter: (values: RecordDraft) => void
}

/** An input for each field that may be written. */
export function RecordFieldsForm({ table, draft, mistakes, isNew, onEnter }: RecordFieldsFormProps) {
  const fields = writableFields(table)
  const isFixed = (field: WritableField) => !isNew && field.immutable === true
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
  const inForm = new Set(byName.keys())
  return (
    <Stack gap="md" maw="44rem">
      {fields.map((field) => {
        const single = referenceOf(table, field.name)
        const shared = single === undefined ? sharedReferenceOf(table, field.name, inForm) : undefined
        return (
          <div key={field.name} data-field={field.api_name}>
            <FieldInput
              field={field}
              value={draft[field.api_name]}
              reference={single ?? shared}
              siblings={shared === undefined ? undefined : siblings}
              error={mistakes[field.api_name]}
              isOptional={isNew}
              isReadOnly={isFixed(field)}
              onChange={(value) => onEnter({ [field.api_name]: value })}
            />
          </div>
        )
      })}
    </Stack>
  )
}
