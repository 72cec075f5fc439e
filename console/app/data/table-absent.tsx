import type { UseQueryResult } from '@tanstack/react-query'
import { PageHeader } from '../components/page-header.tsx'
import { QueryContent } from '../components/query-content.tsx'
import { BackLink } from './back-link.tsx'
import type { Table } from './tables.ts'

interface TableAbsentProps {
  /** Its name in the address. */
  readonly name: string
  readonly query: UseQueryResult<Table>
}

/** For a table that is being read, or that does not exist for who is logged in. */
export function TableAbsent({ name, query }: TableAbsentProps) {
  return (
    <>
      <BackLink />
      <PageHeader title={name} />
      <QueryContent query={query}>{() => null}</QueryContent>
    </>
  )
}
