import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../components/code-editor.tsx'
import { parseWithTexts } from '../data/exact-json.ts'
import { FilterBuilder } from '../data/filter-builder.tsx'
import { type Filters, readFilters, textOfFilters } from '../data/filters.ts'
import type { Field } from '../data/tables.ts'
import type { EditedConditions } from './edited-conditions.ts'
import { ComparedValue } from './rule-value-input.tsx'

interface RowsEditorProps {
  readonly conditions: EditedConditions
  /** Whose they are, inside of labels. */
  readonly owner: string
  /** What can be compared; undefined while that is being read. */
  readonly fields: readonly Field[] | undefined
  readonly onChange: (conditions: EditedConditions) => void
}

/** Which rows are admitted, built with the mouse or written as text. */
export function RowsEditor({ conditions, owner, fields, onChange }: RowsEditorProps) {
  const { t } = useTranslation('conditions')
  const { rows = [], unread } = conditions
  const [mode, setMode] = useState<'build' | 'text'>('build')
  // As it was written, as long as it says what the conditions have.
  const [written, setWritten] = useState(() => textOf(rows))
  const reading = readFilters(textOf(rows))
  const canBuild = unread === undefined && reading.kind === 'filters' && fields?.length !== 0
  const shown = canBuild ? mode : 'text'
  const text = unread ?? (isSameList(written, rows) ? written : textOf(rows))
  const write = (next: string) => {
    const list = listIn(next)
    const { unread: _unread, rows: _rows, ...rest } = conditions
    setWritten(next)
    setMode('text')
    onChange(list === undefined ? { ...conditions, unread: next } : withRows(rest, list))
  }
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('rows')}
      </Text>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('mode', { owner })}
        value={shown}
        onChange={(value) => setMode(value === 'text' ? 'text' : 'build')}
        data={[
          { value: 'build', label: t('build'), disabled: !canBuild },
          { value: 'text', label: t('text') },
        ]}
      />
      {shown === 'build' && reading.kind === 'filters' ? (
        fields === undefined ? (
          <Skeleton height={30} />
        ) : (
          <FilterBuilder
            table={{ fields, references: [], collections: [] }}
            filters={reading.filters}
            emptyText={t('rowsHint')}
            Value={ComparedValue}
            onChange={(filters) => onChange(withRows(conditions, filters))}
          />
        )
      ) : (
        <CodeEditor
          label={t('document', { owner })}
          description={fields?.length === 0 ? t('noFields') : t('form')}
          language="json"
          value={text}
          error={unread === undefined ? undefined : t('noList')}
          onChange={write}
        />
      )}
    </Stack>
  )
}

/** Conditions with other rows; without any condition, all are admitted. */
function withRows({ rows: _, ...conditions }: EditedConditions, rows: readonly unknown[]): EditedConditions {
  return rows.length === 0 ? conditions : { ...conditions, rows }
}

function textOf(rows: readonly unknown[]): string {
  const reading = readFilters(JSON.stringify(rows))
  return reading.kind === 'filters'
    ? textOfFilters(reading.filters as Filters)
    : JSON.stringify(rows, undefined, 2)
}

function isSameList(text: string, rows: readonly unknown[]): boolean {
  return JSON.stringify(listIn(text)) === JSON.stringify(rows)
}

/** The list that a text says; undefined if it is none. */
function listIn(text: string): readonly unknown[] | undefined {
  if (text.trim() === '') return []
  try {
    const document = parseWithTexts(text)
    return Array.isArray(document) ? document : undefined
  } catch {
    return undefined
  }
}
