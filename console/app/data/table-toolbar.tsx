import { Button, Group, Loader, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { countConditions } from './filters.ts'
import { type ListArguments, rowsDocument } from './row-documents.ts'
import { listCall } from './show-list.ts'
import { searchedFields, type TableView } from './table-view.ts'
import type { Table } from './tables.ts'
import { TotalsButton } from './totals/totals-button.tsx'
import { isEmptyChoice, noTotals, type TotalsChoice } from './totals/totals-choice.ts'
import { ExportButton } from './transfer/export-button.tsx'
import { ImportButton } from './transfer/import-button.tsx'
import type { ChosenColumns } from './use-columns.ts'
import { wantedFor } from './wanted.ts'

interface TableToolbarProps {
  readonly table: Table
  readonly view: TableView
  readonly list: ListArguments
  readonly columns: ChosenColumns
  readonly isFiltering: boolean
  readonly isBusy: boolean
  readonly onView: (view: TableView) => void
  readonly onFilter: (isFiltering: boolean) => void
  /** The totals that are shown; undefined if they are closed. */
  readonly totals: TotalsChoice | undefined
  readonly onTotals: (totals: TotalsChoice | undefined) => void
}

/** Search, filters, columns, and the same as a request. */
export function TableToolbar({ table, view, list, columns, isBusy, ...props }: TableToolbarProps) {
  const { t } = useTranslation('data')
  const { isFiltering, totals, onView, onFilter, onTotals } = props
  const count = countConditions(view.filters)
  const { document } = rowsDocument(table, wantedFor(columns.shown, table), list)
  return (
    <Group gap="xs">
      {searchedFields(table).length === 0 ? null : (
        <form
          key={view.search}
          onSubmit={(event) => {
            event.preventDefault()
            const search = String(new FormData(event.currentTarget).get('search') ?? '')
            onView({ ...view, search, place: { kind: 'start' } })
          }}
        >
          <TextInput
            type="search"
            name="search"
            size="xs"
            w={220}
            aria-label={t('rows.search')}
            placeholder={t('rows.search')}
            leftSection={<IconSearch size={14} />}
            defaultValue={view.search}
          />
        </form>
      )}
      <Button
        variant={view.filters === '' ? 'default' : 'filled'}
        size="xs"
        leftSection={<IconFilter size={16} />}
        aria-expanded={isFiltering}
        onClick={() => onFilter(!isFiltering)}
      >
        {count === 0 || count === undefined ? t('filters.button') : t('filters.some', { count })}
      </Button>
      {table.totals && table.fields.length > 0 ? (
        <TotalsButton
          isOpen={totals !== undefined}
          isComputed={totals !== undefined && !isEmptyChoice(totals)}
          onClick={() => onTotals(totals === undefined ? noTotals : undefined)}
        />
      ) : null}
      <ColumnMenu columns={columns} />
      <ExportButton table={table} list={list} columns={columns} />
      <ImportButton table={table} />
      <ShowAsButton call={listCall(table, columns, list)} {...(table.graphql ? { graphql: document } : {})} />
      {isBusy ? <Loader size="xs" aria-label={t('rows.reading')} role="status" /> : null}
    </Group>
  )
}
