import { Checkbox, Select, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { encodings } from './decode-file.ts'
import { type EmptyMeaning, emptyMeanings } from './match-columns.ts'
import type { SourceForm } from './source-file.ts'

interface FileFormInputsProps {
  readonly form: SourceForm
  readonly empty: EmptyMeaning
  readonly onForm: (form: SourceForm) => void
  readonly onEmpty: (empty: EmptyMeaning) => void
}

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

/** How a file is read: guessed, and changed here. */
export function FileFormInputs({ form, empty, onForm, onEmpty }: FileFormInputsProps) {
  const { t } = useTranslation('transfer')
  const isCsv = form.format === 'csv'
  const known = Object.entries(delimiters).map(([value, name]) => ({ value, label: t(`delimiter.${name}`) }))
  const isKnown = known.some(({ value }) => value === form.delimiter)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} verticalSpacing="xs">
      <Select
        label={t('export.format')}
        allowDeselect={false}
        data={(['csv', 'json', 'jsonl'] as const).map((value) => ({ value, label: t(`format.${value}`) }))}
        value={form.format}
        onChange={(value) => onForm({ ...form, format: value ?? form.format })}
      />
      <Select
        label={t('import.encoding')}
        allowDeselect={false}
        data={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
        value={form.encoding}
        onChange={(value) => onForm({ ...form, encoding: value ?? form.encoding })}
      />
      {isCsv ? (
        <>
          <Select
            label={t('delimiter.label')}
            allowDeselect={false}
            data={isKnown ? known : [...known, { value: form.delimiter, label: form.delimiter }]}
            value={form.delimiter}
            onChange={(value) => onForm({ ...form, delimiter: value ?? form.delimiter })}
          />
          <Select
            label={t('import.empty.label')}
            allowDeselect={false}
            data={emptyMeanings.map((value) => ({ value, label: t(`import.empty.${value}`) }))}
            value={empty}
            onChange={(value) => onEmpty(value ?? empty)}
          />
          <Checkbox
            mt={{ base: 0, md: 30 }}
            label={t('import.header')}
            checked={form.hasHeader}
            onChange={(event) => onForm({ ...form, hasHeader: event.currentTarget.checked })}
          />
        </>
      ) : null}
    </SimpleGrid>
  )
}
