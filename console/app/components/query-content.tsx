import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureAlert } from './failure-alert.tsx'
import { Loading } from './loading.tsx'

interface QueryContentProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Whether what was read before is read again first, such as for a form that keeps what it begins with. */
  readonly isFresh?: boolean
  readonly children: (data: Data) => ReactNode
}

/** What was read, or why it could not be read, or that it is being read. */
export function QueryContent<Data>({ query, isFresh = false, children }: QueryContentProps<Data>) {
  const { data, error, refetch, isFetching, isFetchedAfterMount } = query
  if (isFresh && isFetching && !isFetchedAfterMount) return <Loading />
  if (data !== undefined) return children(data)
  return error === null ? <Loading /> : <FailureAlert error={error} onRetry={() => void refetch()} />
}
