import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { TableAbsent } from './table-absent.tsx'
import { TableRows } from './table-rows.tsx'
import { tableQuery } from './tables.ts'

/** The rows of a table or view. */
export function TablePage() {
  const { table: name = '' } = useParams()
  const query = useQuery(tableQuery(name))
  if (query.data === undefined) return <TableAbsent name={name} query={query} />
  return <TableRows key={query.data.name} table={query.data} />
}
