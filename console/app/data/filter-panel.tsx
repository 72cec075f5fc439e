import { Alert, Button, Group, Paper, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../components/code-editor.tsx'
import { FilterBuilder } from './filter-builder.tsx'
import { compactFilters, isComplete, prettyFilters, readFilters, textOfFilters } from './filters.ts'
import type { Table } from './tables.ts'

/** With the mouse, or as text. */
export type FilterMode = 'build' | 'text'

interface FilterPanelProps {
  readonly table: Table
  /** The filters that are applied, as text. */
  readonly applied: string
  /** What the gateway says against them. */
  readonly error: string | undefined
  readonly onApply: (filters: string) => void
  /** How filters are written, if they can be built. */
  readonly mode: FilterMode
  readonly onMode: (mode: FilterMode) => void
}

/** Filters of a table, built with the mouse or written as text. Nothing is read before they are applied. */
export function FilterPanel({ table, applied, error, onApply, mode, onMode }: FilterPanelProps) {
  const { t } = useTranslation('data')
  const [draft, setDraft] = useState(() => prettyFilters(applied))
  const reading = readFilters(draft)
  const canApply = reading.kind === 'filters' ? isComplete(reading.filters) : reading.kind === 'other'
  const shown = reading.kind === 'filters' ? mode : 'text'
  const mistake =
    reading.kind === 'mistake'
      ? reading.message
      : compactFilters(draft) === compactFilters(applied)
        ? error
        : undefined
  return (
    <Paper
      withBorder
      p="md"
      component="form"
      aria-label={t('filters.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (canApply) onApply(compactFilters(draft))
      }}
    >
      <Stack>
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={t('filters.mode')}
          value={shown}
          onChange={(value) => onMode(value === 'text' ? 'text' : 'build')}
          data={[
            { value: 'build', label: t('filters.build'), disabled: reading.kind !== 'filters' },
            { value: 'text', label: t('filters.text') },
          ]}
        />
        {shown === 'build' && reading.kind === 'filters' ? (
          <>
            <FilterBuilder
              table={table}
              filters={reading.filters}
              onChange={(filters) => setDraft(textOfFilters(filters))}
            />
            {mistake === undefined ? null : (
              <Alert color="red" role="alert">
                {mistake}
              </Alert>
            )}
          </>
        ) : (
          <CodeEditor
            label={t('filters.document')}
            description={t('filters.form')}
            language="json"
            value={draft}
            error={mistake}
            onChange={setDraft}
          />
        )}
        <Group>
          <Button type="submit" size="xs" disabled={!canApply}>
            {t('filters.apply')}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={draft === '' && applied === ''}
            onClick={() => {
              setDraft('')
              onApply('')
            }}
          >
            {t('filters.clear')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
