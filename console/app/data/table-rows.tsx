import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Refusal } from '../../../browser/refusal.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { lazily } from '../components/lazily.tsx'
import { Loading } from '../components/loading.tsx'
import { SelectableRows } from './bulk/selectable-rows.tsx'
import { SelectionBar } from './bulk/selection-bar.tsx'
import { type Selection, useSelection } from './bulk/use-selection.ts'
import { type FilterMode, FilterPanel } from './filter-panel.tsx'
import { Pager } from './pager.tsx'
import type { ListArguments } from './row-documents.ts'
import { RowGrid, type RowGridProps } from './row-grid.tsx'
import { isCountable, isReadByPosition, type RowPage, readRows } from './rows.ts'
import { TableHeader } from './table-header.tsx'
import { TableToolbar } from './table-toolbar.tsx'
import { filtersOfView, queryOfView, sortedBy, type TableView, viewOf } from './table-view.ts'
import { rowsKey, type Table } from './tables.ts'
import { choiceIn, queryOfChoice, type TotalsChoice } from './totals/totals-choice.ts'
import { type ChosenColumns, useColumns } from './use-columns.ts'
import { wantedFor } from './wanted.ts'

const TotalsPanel = lazily(async () => (await import('./totals/totals-panel.tsx')).TotalsPanel)

interface TableRowsProps
  extends Pick<
    RowGridProps,
    'rowActions' | 'headActions' | 'actionsWidth' | 'onEdit' | 'isEdited' | 'renderValue'
  > {
  readonly table: Table
  /** What else can be done with the table: buttons beside its name. */
  readonly actions?: (list: ListArguments) => ReactNode
}

/** A page of rows, with what is needed to find others. Everything that selects them is in the address. */
export function TableRows({ table, actions, ...grid }: TableRowsProps) {
  const [query, setQuery] = useSearchParams()
  const view = viewOf(query)
  const isFiltering = query.has('edit')
  const totals = table.totals ? choiceIn(query, table.fields) : undefined
  const [filterMode, setFilterMode] = useState<FilterMode>('build')
  const columns = useColumns(table)
  const setView = (next: TableView, panels: Partial<OpenPanels> = {}) =>
    setQuery(queryOfPanels(next, { isFiltering, totals, ...panels }))
  const { list, rows } = useRows(table, view, columns)
  const selection = useSelection(JSON.stringify(list.filters ?? null))
  const { data: read, error, isFetching, isPlaceholderData, refetch } = rows
  const page = useKeptRows(read, JSON.stringify(list), grid.isEdited)
  const isAboutFilters =
    error instanceof Refusal && error.problem.code === 'PARAMETER_INVALID' && view.filters !== ''
  return (
    <>
      <TableHeader table={table} actions={actions?.(list)} />
      <Stack gap="sm">
        <TableToolbar
          table={table}
          view={view}
          list={list}
          columns={columns}
          isFiltering={isFiltering}
          isBusy={isFetching}
          totals={totals}
          onView={setView}
          onFilter={(edits) => setView(view, { isFiltering: edits })}
          onTotals={(choice) => setView(view, { totals: choice })}
        />
        {isFiltering ? (
          <FilterPanel
            key={view.filters}
            table={table}
            mode={filterMode}
            onMode={setFilterMode}
            applied={view.filters}
            error={isAboutFilters ? error.message : undefined}
            onApply={(filters) => setView({ ...view, filters, place: { kind: 'start' } })}
          />
        ) : null}
        {totals === undefined ? null : (
          <Suspense fallback={<Loading />}>
            <TotalsPanel
              table={table}
              view={view}
              filters={list.filters}
              choice={totals}
              onChoice={(choice) => setView(view, { totals: choice })}
            />
          </Suspense>
        )}
        {error === null || (isAboutFilters && isFiltering) ? null : (
          <FailureAlert error={error} onRetry={() => void refetch()} />
        )}
        <SelectionBar table={table} list={list} page={page?.rows ?? []} selection={selection} />
        {error === null && page === undefined ? <Loading /> : null}
        {page === undefined ? null : (
          <RowsPage
            {...grid}
            table={table}
            columns={columns}
            page={page}
            list={list}
            selection={selection}
            isBusy={isPlaceholderData}
            view={view}
            onView={setView}
          />
        )}
      </Stack>
    </>
  )
}

/** What stands open above the rows. */
interface OpenPanels {
  readonly isFiltering: boolean
  /** Undefined if they are closed. */
  readonly totals: TotalsChoice | undefined
}

/** The query of the address of a view with what stands open above it. */
function queryOfPanels(view: TableView, { isFiltering, totals }: OpenPanels): URLSearchParams {
  const query = queryOfView(view)
  if (isFiltering) query.set('edit', '')
  for (const [name, value] of Object.entries(totals === undefined ? {} : queryOfChoice(totals)))
    query.set(name, value)
  return query
}

interface RowsPageProps extends Omit<TableRowsProps, 'actions'> {
  readonly columns: ChosenColumns
  readonly page: RowPage
  readonly list: ListArguments
  readonly selection: Selection
  readonly isBusy: boolean
  readonly view: TableView
  readonly onView: (view: TableView) => void
}

function RowsPage({ table, columns, page, list, selection, isBusy, view, onView, ...grid }: RowsPageProps) {
  const { t } = useTranslation('data')
  return (
    <div>
      <SelectableRows
        table={table}
        page={page.rows}
        isBusy={isBusy}
        selection={selection}
        rowActions={grid.rowActions}
      >
        {(boxes) => (
          <RowGrid
            {...grid}
            {...boxes}
            table={table}
            columns={columns.shown}
            rows={page.rows}
            label={t('rows.label', { table: table.name })}
            maxHeight="max(20rem, calc(100dvh - 18rem))"
            isBusy={isBusy}
            view={view}
            onSort={(field, isFurther) => onView(sortedBy(view, field, isFurther))}
            onResize={columns.resize}
            onMove={(name, before) => columns.move(name, placeIn(columns, before))}
          />
        )}
      </SelectableRows>
      {page.rows.length === 0 ? <NoRows view={view} /> : null}
      <Pager
        table={table.name}
        isCountable={isCountable(table)}
        filters={list.filters}
        page={page}
        place={view.place}
        size={columns.pageSize}
        isBusy={isBusy}
        onPlace={(place) => onView({ ...view, place })}
        onSize={(size) => {
          columns.setPageSize(size)
          onView({ ...view, place: { kind: 'start' } })
        }}
      />
      {table.kind === 'view' ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t('list.whyReadOnly')}
        </Text>
      ) : null}
      {isReadByPosition(table) ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t(table.graphql ? 'rows.noKey' : 'rows.onlyApi')}
        </Text>
      ) : null}
    </div>
  )
}

/** The page of a view. The one before is shown until it is there. */
function useRows(table: Table, view: TableView, { shown, pageSize }: ChosenColumns) {
  const { asc, desc, place } = view
  const list: ListArguments = { filters: filtersOfView(view, table), asc, desc, place, size: pageSize }
  const wanted = useMemo(() => wantedFor(shown, table), [shown, table])
  const names = [...wanted.fields, ...wanted.references.map(({ name }) => name)]
  const rows = useQuery({
    queryKey: [...rowsKey(table.name), 'page', names, list],
    queryFn: ({ signal }) => readRows(table, wanted, list, signal),
    placeholderData: keepPreviousData,
  })
  return { list, rows }
}

/**
 * A page whose rows stay in their places as long as one of them is edited: they get their newer values, but none comes, goes or moves
 * under the hand. A page of another list, by its key, is shown at once.
 */
function useKeptRows(
  page: RowPage | undefined,
  list: string,
  isEdited: RowGridProps['isEdited'],
): RowPage | undefined {
  const [kept, setKept] = useState({ page, list })
  const isKept = kept.list === list && kept.page?.rows.some((row) => isEdited?.(row)) === true
  if (page === undefined || !isKept) {
    if (kept.page !== page || kept.list !== list) setKept({ page, list })
    return page
  }
  const newer = new Map(page.rows.map((row) => [row.id, row]))
  return { ...page, rows: kept.page?.rows.map((row) => newer.get(row.id) ?? row) ?? [] }
}

function NoRows({ view }: { readonly view: TableView }) {
  const { t } = useTranslation('data')
  const isAll = view.filters === '' && view.search === ''
  return (
    <Text size="sm" mt="xs">
      {t(isAll ? 'rows.none' : 'rows.noneFound')}
    </Text>
  )
}

function placeIn({ all }: ChosenColumns, name: string): number {
  return all.findIndex(({ column }) => column.name === name)
}
