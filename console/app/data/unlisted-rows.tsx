import { useTranslation } from 'react-i18next'
import { EmptyState } from '../components/empty-state.tsx'
import { TableHeader } from './table-header.tsx'
import { tableRights } from './table-rights.ts'
import type { Table } from './tables.ts'

/** Whether the rows of a table may be listed, and not only read or written one by one. */
export function isListed(table: Pick<Table, 'graphql' | 'api'>): boolean {
  return table.graphql || tableRights(table).LIST
}

/** Whether records may be created in a table, but none may be read. */
export function isOnlyWritten(table: Pick<Table, 'graphql' | 'api'>): boolean {
  const { GET, POST } = tableRights(table)
  return POST && !GET && !isListed(table)
}

/** A table whose records may be read or written one by one only. */
export function UnlistedRows({ table }: { readonly table: Table }) {
  const { t } = useTranslation('data')
  return (
    <>
      <TableHeader table={table} actions={null} />
      <EmptyState title={t('rows.unlisted')}>{t('rows.unlistedWhy')}</EmptyState>
    </>
  )
}
