import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SimpleTable } from '../../components/simple-table.tsx'
import { textOfValue } from '../conditions.ts'
import type { WritableField } from '../edit/stored-record.ts'
import type { ColumnMatches } from './match-columns.ts'
import type { FileSummary } from './source-file.ts'

interface MatchTableProps {
  readonly summary: FileSummary
  readonly fields: readonly WritableField[]
  readonly matches: ColumnMatches
  readonly onChange: (matches: ColumnMatches) => void
}

/** How many columns are shown; nobody matches more by hand. */
const shownColumns = 200

/** Which field each column of a file goes into. */
export function MatchTable({ summary, fields, matches, onChange }: MatchTableProps) {
  const { t } = useTranslation('transfer')
  const required = fields.filter(
    ({ nullable, default: preset, has_database_default: isFilled, api_name: name }) =>
      !nullable && preset === undefined && !isFilled && !Object.values(matches).includes(name),
  )
  const options = fields.map(({ api_name: name }) => ({ value: name, label: name }))
  const match = (column: string, field: string | null) => {
    const others = Object.entries(matches).filter(([name, taken]) => name !== column && taken !== field)
    onChange(Object.fromEntries(field === null ? others : [...others, [column, field]]))
  }
  return (
    <>
      <SimpleTable
        label={t('match.label')}
        rows={summary.columns.slice(0, shownColumns)}
        keyOf={(column) => column}
        columns={[
          { key: 'column', title: t('match.column'), isHeading: true, show: (column) => <bdi>{column}</bdi> },
          {
            key: 'example',
            title: t('match.example'),
            isExtra: true,
            show: (column) => (
              <Text size="sm" c="dimmed" maw="20rem" truncate>
                {exampleOf(summary, column)}
              </Text>
            ),
          },
          {
            key: 'field',
            title: t('match.field'),
            show: (column) => (
              <Select
                size="xs"
                aria-label={t('match.fieldOf', { column })}
                placeholder={t('match.none')}
                data={options}
                searchable
                clearable
                clearButtonProps={{ 'aria-label': t('match.clear', { column }) }}
                value={Object.hasOwn(matches, column) ? (matches[column] ?? null) : null}
                onChange={(field) => match(column, field)}
              />
            ),
          },
        ]}
      />
      {required.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t('match.required', { names: required.map(({ api_name: name }) => name).join(', ') })}
        </Text>
      )}
    </>
  )
}

function exampleOf({ sample }: FileSummary, column: string): string {
  const value = sample.map(({ values }) => values.get(column)).find((one) => one !== undefined && one !== '')
  return value === undefined ? '' : textOfValue(value).slice(0, 200)
}
