import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import type { TableView } from '../table-view.ts'
import { rowsKey, type Table } from '../tables.ts'
import { ColumnTotalsTable } from './column-totals-table.tsx'
import { keyOrder } from './group-order.ts'
import { GroupTable } from './group-table.tsx'
import { readTotals, type Totals, type WantedGroups } from './totals.ts'
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
  const key = JSON.stringify(choice)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('about')}
        </Text>
        <TotalsForm key={`form ${key}`} table={table} choice={choice} onChoice={onChoice} />
        {isEmptyChoice(choice) ? null : (
          <Computed key={key} table={table} view={view} filters={filters} choice={choice} />
        )}
      </Stack>
    </Paper>
  )
}

/** How many groups are added to the page at a time. */
const step = 100

function Computed({ table, view, filters, choice }: Omit<TotalsPanelProps, 'onChoice'>) {
  const { t } = useTranslation('totals')
  const [wanted, setWanted] = useState<WantedGroups>({ order: keyOrder, most: step })
  const { order, most } = wanted
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...rowsKey(table.name), 'totals', filters ?? null, choice, wanted],
    queryFn: ({ signal }) => readTotals(table, choice, filters, wanted, signal),
    placeholderData: keepPreviousData,
  })
  const { document, variables } = totalsDocument(table, choice, filters, { order, limit: most })
  const { groups = [], columns = [], hasMoreGroups = false } = data ?? {}
  return (
    <>
      <Group gap="xs">
        {data === undefined ? null : <Counts totals={data} isGrouped={choice.by.length > 0} />}
        <ShowAsButton
          call={{ method: 'POST', path: '/graphql', body: { query: document, variables } }}
          graphql={document}
        />
        {isFetching ? <Loader size="xs" aria-label={t('computing')} role="status" /> : null}
      </Group>
      {error === null ? null : <FailureAlert error={error} onRetry={() => void refetch()} />}
      {columns.length === 0 ? null : (
        <ColumnTotalsTable label={t('totalsOf', { table: table.name })} columns={columns} />
      )}
      {groups.length === 0 ? null : (
        <GroupTable
          label={t('groupsOf', { table: table.name })}
          table={table}
          view={view}
          by={choice.by}
          groups={groups}
          order={order}
          onOrder={(next) => setWanted({ ...wanted, order: next })}
        />
      )}
      {hasMoreGroups ? (
        <Group>
          <Button size="xs" variant="default" onClick={() => setWanted({ ...wanted, most: most + step })}>
            {t('more', { count: step })}
          </Button>
        </Group>
      ) : null}
    </>
  )
}

/** How many rows and groups there are; of groups, whether there are more than are shown. */
function Counts({ totals, isGrouped }: { readonly totals: Totals; readonly isGrouped: boolean }) {
  const { t, i18n } = useTranslation('totals')
  const { count, groups, hasMoreGroups } = totals
  const words = (number: number) => ({ count: number, shown: number.toLocaleString(i18n.language) })
  return (
    <Group gap="xs" role="status">
      <Text size="sm" fw={600}>
        {t('found', words(count))}
      </Text>
      {isGrouped ? (
        <Text size="sm">{t(hasMoreGroups ? 'firstGroups' : 'groups', words(groups.length))}</Text>
      ) : null}
    </Group>
  )
}
