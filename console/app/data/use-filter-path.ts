import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { type FilterPath, type FilterTable, pathOf } from './filter-path.ts'
import { tableQuery } from './tables.ts'

interface FoundPath extends FilterPath {
  /** Why a table that the path leads to could not be read; null if it could, or is still being read. */
  readonly error: Error | null
}

/** The path of a key of conditions; reads the tables that it leads to, and no others. */
export function useFilterPath(table: FilterTable, key: string): FoundPath {
  const client = useQueryClient()
  const names = new Set<string>()
  const path = pathOf(table, key, (name) => {
    names.add(name)
    return knownTable(client, name)
  })
  const { error } = useQueries({
    queries: [...names].map((name) => ({ ...tableQuery(name), retry: false })),
    combine: (results) => ({
      error: results.find((result) => result.error !== null)?.error ?? null,
      // The path goes on when it changes.
      read: results.filter(({ data }) => data !== undefined).length,
    }),
  })
  return { ...path, error }
}

function knownTable(client: QueryClient, name: string): FilterTable | undefined {
  return client.getQueryData(tableQuery(name).queryKey)
}
