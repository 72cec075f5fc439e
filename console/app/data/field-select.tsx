import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { optionOf } from './field-label.ts'
import { canGoOn, type PathStep } from './filter-path.ts'
import type { Field } from './tables.ts'

interface FieldSelectProps {
  readonly step: PathStep
  /** Whether conditions on the rows of collections are offered. */
  readonly hasCollections: boolean
  readonly onField: (field: Field) => void
  /** To go on in the table that a reference leads to. */
  readonly onReference: (name: string) => void
  readonly onCollection: (name: string) => void
}

/** Chooses what of a table a condition is on: a field, a reference to go on with, or related rows. */
export function FieldSelect({ step, hasCollections, onField, onReference, onCollection }: FieldSelectProps) {
  const { t } = useTranslation('data')
  const { table, name, of } = step
  const references = canGoOn(step) ? table.references.map((reference) => reference.name) : []
  const collections = hasCollections ? table.collections.map((collection) => collection.name) : []
  const options = table.fields.map(optionOf)
  const groups = [
    { group: t('filters.fields'), items: options },
    { group: t('filters.references'), items: references.map(plainOption) },
    { group: t('filters.collections'), items: collections.map(plainOption) },
  ].filter(({ items }) => items.length > 0)
  const isListed = name === '' || groups.some(({ items }) => items.some(({ value }) => value === name))
  const hasOnlyFields = references.length === 0 && collections.length === 0
  return (
    <Select
      size="xs"
      aria-label={of === undefined ? t('filters.field') : t('filters.fieldOf', { name: of })}
      placeholder={t('filters.choose')}
      searchable
      limit={100}
      allowDeselect={false}
      maxDropdownHeight={320}
      data={[...(isListed ? [] : [plainOption(name)]), ...(hasOnlyFields ? options : groups)]}
      value={name === '' ? null : name}
      onChange={(chosen) => {
        const field = table.fields.find((candidate) => candidate.name === chosen)
        if (field !== undefined) onField(field)
        else if (chosen !== null && references.includes(chosen)) onReference(chosen)
        else if (chosen !== null && collections.includes(chosen)) onCollection(chosen)
      }}
    />
  )
}

function plainOption(value: string) {
  return { value, label: value }
}
