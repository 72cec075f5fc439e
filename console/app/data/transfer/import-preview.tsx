import { List, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { SimpleTable } from '../../components/simple-table.tsx'
import { textOfValue } from '../conditions.ts'
import type { ReadFile } from './import-dialog.tsx'
import { readRow } from './match-columns.ts'
import type { Import } from './run-import.ts'
import { type RefusedRow, type SentRow, sendAllButRefused, sendOnce } from './send-rows.ts'
import type { SourceRow } from './source-file.ts'

interface ImportPreviewProps {
  readonly plan: Import
  readonly read: ReadFile
}

/** How many rows are shown: those with mistakes, and the first ones. */
const shownRows = 10

/** The first rows as they would be, with what the gateway says of them. It is asked, and writes nothing. */
export function ImportPreview({ plan, read }: ImportPreviewProps) {
  const { t } = useTranslation('transfer')
  const { reading } = plan
  const { sample } = read.summary
  const { data, error, isFetching } = useQuery({
    queryKey: [
      'import-preview',
      plan.path,
      read.file.name,
      read.file.lastModified,
      read.form,
      reading.matches,
      reading.empty,
    ],
    queryFn: ({ signal }) => mistakesIn(sample, plan, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })
  if (error !== null) return <FailureAlert error={error} />
  const mistakes = new Map((data ?? []).map(({ position, reasons }) => [position, reasons]))
  const faulty = sample.filter(({ position }) => mistakes.has(position)).slice(0, shownRows)
  const rest = sample.filter(({ position }) => !mistakes.has(position)).slice(0, shownRows - faulty.length)
  const rows = [...faulty, ...rest].toSorted((a, b) => a.position - b.position)
  const fields = reading.fields.filter(({ api_name: name }) => Object.values(reading.matches).includes(name))
  return (
    <Stack gap="xs" aria-busy={isFetching}>
      <Text size="sm" fw={600} role="status">
        {data === undefined
          ? t('preview.checking')
          : mistakes.size === 0
            ? t('preview.good', { count: sample.length })
            : t('preview.bad', { count: mistakes.size, of: sample.length })}
      </Text>
      <SimpleTable<SourceRow>
        label={t('preview.label')}
        rows={rows}
        keyOf={({ position }) => String(position)}
        columns={[
          { key: 'row', title: t('preview.row'), isHeading: true, show: ({ position }) => position },
          {
            key: 'mistakes',
            title: t('preview.mistakes'),
            show: ({ position }) => <Reasons reasons={mistakes.get(position) ?? []} />,
          },
          ...fields.slice(0, 12).map(({ api_name: name }) => ({
            key: `field ${name}`,
            title: name,
            show: (row: SourceRow) => <Value value={readRow(row, reading).record?.[name]} />,
          })),
        ]}
      />
    </Stack>
  )
}

/** The words of the gateway about a row. */
export function Reasons({ reasons }: Pick<RefusedRow, 'reasons'>) {
  if (reasons.length === 0) return null
  return (
    <List size="sm" c="red" maw="28rem" miw="14rem">
      {reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  )
}

function Value({ value }: { readonly value: unknown }) {
  const { t } = useTranslation('data')
  if (value === undefined) return null
  const word = value === null ? t('value.null') : value === '' ? t('value.empty') : undefined
  return (
    <Text size="sm" maw="16rem" truncate {...(word === undefined ? {} : { c: 'dimmed', fs: 'italic' })}>
      {word ?? textOfValue(value).slice(0, 200)}
    </Text>
  )
}

async function mistakesIn(
  sample: readonly SourceRow[],
  { path, reading, words }: Import,
  signal: AbortSignal,
): Promise<readonly RefusedRow[]> {
  const found: RefusedRow[] = []
  const rows: SentRow[] = []
  for (const row of sample.map((one) => readRow(one, reading))) {
    if (row.fault === undefined) rows.push(row)
    else found.push({ position: row.position, reasons: [words.fault(row.fault)] })
  }
  await sendAllButRefused(rows, {
    signal,
    send: (some) => sendOnce(some, { path: `${path}?dry_run=true`, signal }),
    onTaken: () => {},
    onRefused: (more) => found.push(...more),
  })
  return found
}
