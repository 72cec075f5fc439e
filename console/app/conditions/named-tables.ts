/** The tables that an expression spells out, and their fields: only to offer them, since what it matches the gateway says. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { type Field, readTables, type Table, tableQuery } from '../data/tables.ts'

/** What stands behind `/graphql/` and `/apis/` in an expression. */
function namesIn(regex: string): {
  readonly tables: readonly string[]
  readonly paths: readonly string[]
} {
  const plain = regex.replaceAll('\\', '')
  const after = (start: string) =>
    [...plain.matchAll(new RegExp(`${start}([\\w-]+)`, 'g'))].map(([, name = '']) => name)
  const tables = [...new Set(after('/graphql/'))]
  const paths = [...new Set(after('/apis/'))].map((name) => `/apis/${name}`)
  return { tables: tables.slice(0, mostTables), paths: paths.slice(0, mostTables) }
}

const mostTables = 10

/** The tables that an expression spells out, and none that may not be seen; whether more of them are being read. */
export function useNamedTables(
  regex: string,
  isEnabled: boolean,
): { readonly tables: readonly Table[]; readonly isLoading: boolean } {
  const { tables, paths } = namesIn(regex)
  const found = useQueries({
    queries: paths.map((path) => ({
      queryKey: ['tables', 'at', path],
      queryFn: () => tablesAt(path),
      enabled: isEnabled,
      staleTime: 60_000,
    })),
    combine: combined,
  })
  const read = useQueries({
    queries: [...new Set([...tables, ...found.data.flat()])].map((name) => ({
      ...tableQuery(name),
      enabled: isEnabled,
      retry: false,
    })),
    combine: combined,
  })
  return { tables: read.data, isLoading: found.isLoading || read.isLoading }
}

/** The fields of these tables, by the names of their columns; undefined while they are being read. */
export function useNamedFields(regex: string, isEnabled: boolean): readonly Field[] | undefined {
  const { tables, isLoading } = useNamedTables(regex, isEnabled)
  if (isLoading) return undefined
  const fields = tables.flatMap((table) => table.fields)
  return [...new Map(fields.map((field) => [field.column, { ...field, name: field.column }])).values()]
}

function combined<T>(results: readonly UseQueryResult<T>[]) {
  return {
    data: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    isLoading: results.some(({ isLoading }) => isLoading),
  }
}

/** The names of the tables whose API is at a path: one, or none. */
async function tablesAt(path: string): Promise<readonly string[]> {
  const tables = await readTables(path, { limit: 200 })
  return tables.flatMap(({ name, api }) => (api?.path === path ? [name] : []))
}
