import { Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import type { TableView } from '../table-view.ts'
import { rowsKey, type Table } from '../tables.ts'
import { ColumnTotalsTable } from './column-totals-table.tsx'
import { GroupTable } from './group-table.tsx'
import { readTotals, type Totals } from './totals.ts'
import { isEmptyChoice, type TotalsChoice } from './totals-choice.ts'
import { totalsDocument } from './totals-document.ts'
import { TotalsForm } from './totals-form.tsx'

export interface TotalsPanelProps {
  readonly table: Table
  readonly view: TableView
  /** The composite filter of the view; undefined for none. */
  readonly filters: unknown
  readonly choice: TotalsChoice
  readonly onChoice: (choice: TotalsChoice) => void
}

/** What all rows that the filters find add up to, and what groups of them do. Nothing is read before it is asked for. */
export function TotalsPanel({ table, view, filters, choice, onChoice }: TotalsPanelProps) {
  const { t } = useTranslation('totals')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...rowsKey(table.name), 'totals', filters ?? null, choice],
    queryFn: ({ signal }) => readTotals(table, choice, filters, signal),
    enabled: !isEmptyChoice(choice),
  })
  const { document, variables } = totalsDocument(table, choice, filters)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('title')}>
      <Stack>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('about')}
          </Text>
          {isEmptyChoice(choice) ? null : (
            <ShowAsButton
              call={{ method: 'POST', path: '/graphql', body: { query: document, variables } }}
              graphql={document}
            />
          )}
        </Group>
        <TotalsForm key={JSON.stringify(choice)} table={table} choice={choice} onChoice={onChoice}>
          {isFetching ? <Loader size="xs" aria-label={t('computing')} role="status" /> : null}
        </TotalsForm>
        {error === null ? null : <FailureAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined || error !== null ? null : (
          <Results table={table} view={view} choice={choice} totals={data} />
        )}
      </Stack>
    </Paper>
  )
}

interface ResultsProps extends Pick<TotalsPanelProps, 'table' | 'view' | 'choice'> {
  readonly totals: Totals
}

function Results({ table, view, choice: { by }, totals }: ResultsProps) {
  const { t, i18n } = useTranslation('totals')
  const words = (count: number) => ({ count, shown: count.toLocaleString(i18n.language) })
  return (
    <>
      <Group gap="xs" role="status">
        <Text size="sm" fw={600}>
          {t('found', words(totals.count))}
        </Text>
        {by.length === 0 ? null : <Text size="sm">{t('groups', words(totals.groups.length))}</Text>}
      </Group>
      {totals.columns.length === 0 ? null : (
        <ColumnTotalsTable label={t('totalsOf', { table: table.name })} columns={totals.columns} />
      )}
      {totals.groups.length === 0 ? null : (
        <GroupTable
          key={JSON.stringify(by)}
          label={t('groupsOf', { table: table.name })}
          table={table}
          view={view}
          by={by}
          groups={totals.groups}
        />
      )}
    </>
  )
}
