import { Autocomplete, SimpleGrid, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type Definition,
  fieldsOf,
  type Path,
  type PlacedField,
  textAt,
  valueAt,
} from '../definition/definition.ts'
import { withValue } from '../definition/edit-definition.ts'
import { entityListQuery, entityQuery } from '../entity-queries.ts'
import { useDesign, useMistake } from './design-context.ts'
import { withTarget } from './reference-target.ts'

interface ReferenceMembersProps {
  /** The path of the reference field. */
  readonly path: Path
  readonly isFocused: boolean
}

const mostShown = 50

/** Which field of which entity a reference refers to. */
export function ReferenceMembers({ path, isFocused }: ReferenceMembersProps) {
  const { t } = useTranslation('entities')
  const { definition, isReadOnly, change } = useDesign()
  const client = useQueryClient()
  const entityPath = [...path, 'ref_class']
  const fieldPath = [...path, 'ref_class_field']
  const own = textAt(definition, ['name'])
  const target = textAt(definition, entityPath)
  const stored = useQuery(entityListQuery).data?.map(({ name }) => name) ?? []
  const names = own === '' || stored.includes(own) ? stored : [own, ...stored]
  const read = useQuery({ ...entityQuery(target), enabled: target !== own && stored.includes(target) })
  const targetFields = fieldsOf(target === own ? definition : read.data?.definition)
  const entityMistake = useMistake(entityPath)
  const fieldMistake = useMistake(fieldPath)

  async function choose(name: string): Promise<void> {
    const fieldBefore = textAt(definition, fieldPath)
    change(entityPath, (old) => withValue(old, entityPath, name))
    const found: Definition | undefined =
      name === own ? definition : (await client.fetchQuery(entityQuery(name))).definition
    // Nothing of what was chosen or entered while it was being read is replaced.
    const isStill = (old: Definition) =>
      textAt(old, entityPath) === name && textAt(old, fieldPath) === fieldBefore
    change(path, (old) => (isStill(old) ? withTarget(old, path, name, found) : old))
  }

  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Autocomplete
        label={t('field.refersTo')}
        required
        error={entityMistake}
        readOnly={isReadOnly}
        data={names}
        limit={mostShown}
        comboboxProps={{ withinPortal: false }}
        value={target}
        autoFocus={isFocused}
        onChange={(value) => change(entityPath, (old) => withValue(old, entityPath, value))}
        onOptionSubmit={(value) => void choose(value)}
      />
      <Autocomplete
        label={t('field.refersToField')}
        required
        error={fieldMistake}
        readOnly={isReadOnly}
        data={targetFields.map(({ name }) => name)}
        limit={mostShown}
        comboboxProps={{ withinPortal: false }}
        value={textAt(definition, fieldPath)}
        onChange={(value) => change(fieldPath, (old) => withValue(old, fieldPath, value))}
        onOptionSubmit={(name) => {
          const type = targetFields.find((field) => field.name === name)?.type
          if (type !== undefined) change(path, (old) => withValue(old, [...path, 'field_type'], type))
        }}
        renderOption={({ option }) => (
          <TargetOption field={targetFields.find(({ name }) => name === option.value)} />
        )}
      />
    </SimpleGrid>
  )
}

function TargetOption({ field }: { readonly field: PlacedField | undefined }) {
  const { t } = useTranslation('entities')
  if (field === undefined) return null
  const isUnique = valueAt(field.value, ['field_unique']) === true
  const marks = [
    field.type,
    field.kind === 'identifier' ? t('field.identifier') : isUnique ? t('field.marks.unique') : '',
  ]
  return (
    <Text size="sm">
      {field.name}{' '}
      <Text span c="dimmed">
        {marks.filter((mark) => mark !== '').join(' · ')}
      </Text>
    </Text>
  )
}
