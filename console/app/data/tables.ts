/** The tables and views that who is logged in may read, and how they are described. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'

/** A table or view in the list. */
export type ListedTable = components['schemas']['ReadableTable']

/** A table or view with its fields and relations. */
export type Table = components['schemas']['WholeReadableTable']

/** A column of a table, with what the entity definition says of it. */
export type Field = components['schemas']['TableField']

/** A foreign key, seen from one of its tables. */
export type Relation = components['schemas']['TableRelation']

/** Everything that was read of tables, but not of their rows, is kept under this key. */
const tablesKey = ['tables'] as const

const pageSize = 200

/** The tables whose names contain a text, page by page. */
export function tableListQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...tablesKey, 'list', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readTables(search, { limit: pageSize, after: pageParam }, signal),
    getNextPageParam: (page: readonly ListedTable[]) =>
      page.length < pageSize ? undefined : page.at(-1)?.name,
    staleTime: 30_000,
  })
}

/** The first tables whose names contain a text. */
export function readTables(
  search: string,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
  signal?: AbortSignal,
): Promise<readonly ListedTable[]> {
  const query = { limit, ...(search === '' ? {} : { q: search }), ...(after === '' ? {} : { after }) }
  return dataOf(
    gateway.GET('/whoami/tables', { params: { query }, ...(signal === undefined ? {} : { signal }) }),
  )
}

/** One table. */
export function tableQuery(name: string) {
  return queryOptions({
    queryKey: [...tablesKey, 'one', name],
    queryFn: ({ signal }): Promise<Table> =>
      dataOf(gateway.GET('/whoami/tables/{name}', { params: { path: { name } }, signal })),
    staleTime: 60_000,
  })
}

/** The key under which everything that was read of the rows of a table is kept: to be invalidated after a change. */
export function rowsKey(table: string): readonly string[] {
  return ['rows', table]
}
