import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { QueryContent } from '../components/query-content.tsx'
import { TableRows } from './table-rows.tsx'
import { tableQuery } from './tables.ts'

/** The rows of a table or view. */
export function TablePage() {
  const { table: name = '' } = useParams()
  const query = useQuery(tableQuery(name))
  return <QueryContent query={query}>{(table) => <TableRows key={table.name} table={table} />}</QueryContent>
}
