import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { pathOfNewRecord } from './edit/edit-paths.ts'
import { useCellEditing } from './edit/use-cell-editing.tsx'
import { TableAbsent } from './table-absent.tsx'
import { TableRows } from './table-rows.tsx'
import { type Table, tableQuery } from './tables.ts'
import { isListed, isOnlyWritten, UnlistedRows } from './unlisted-rows.tsx'

/** The rows of a table or view. */
export function TablePage() {
  const { table: name = '' } = useParams()
  const query = useQuery(tableQuery(name))
  if (query.data === undefined) return <TableAbsent name={name} query={query} />
  if (isOnlyWritten(query.data)) return <Navigate to={pathOfNewRecord(query.data.name)} replace />
  if (!isListed(query.data)) return <UnlistedRows table={query.data} />
  return <EditableRows key={query.data.name} table={query.data} />
}

function EditableRows({ table }: { readonly table: Table }) {
  const { dialog, ...editing } = useCellEditing(table)
  return (
    <>
      <TableRows table={table} {...editing} />
      {dialog}
    </>
  )
}
