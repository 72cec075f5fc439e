/** The tables that an expression spells out, and their fields: only to offer them, since what it matches the gateway says. */
import { useQueries } from '@tanstack/react-query'
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

/** The tables that an expression spells out; none that may not be seen. */
export function useNamedTables(regex: string, isEnabled: boolean): readonly Table[] {
  const { tables, paths } = namesIn(regex)
  const found = useQueries({
    queries: paths.map((path) => ({
      queryKey: ['tables', 'at', path],
      queryFn: () => tablesAt(path),
      enabled: isEnabled,
      staleTime: 60_000,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useQueries({
    queries: [...new Set([...tables, ...found])].map((name) => ({
      ...tableQuery(name),
      enabled: isEnabled,
      retry: false,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
}

/** The fields of these tables, by the names of their columns. */
export function useNamedFields(regex: string, isEnabled: boolean): readonly Field[] {
  const fields = useNamedTables(regex, isEnabled).flatMap((table) => table.fields)
  return [...new Map(fields.map((field) => [field.column, { ...field, name: field.column }])).values()]
}

/** The names of the tables whose API is at a path: one, or none. */
async function tablesAt(path: string): Promise<readonly string[]> {
  const tables = await readTables(path, { limit: 200 })
  return tables.flatMap(({ name, api }) => (api?.path === path ? [name] : []))
}
