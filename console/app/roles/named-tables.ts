/** The tables that an expression spells out, and their fields: only to offer them, since what it matches the gateway says. */
import { useQueries } from '@tanstack/react-query'
import { useIsAllowed } from '../api/access.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import { type Field, tableQuery } from '../data/tables.ts'

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

/** The fields of the tables that an expression spells out, by the names of their columns; none that may not be seen. */
export function useNamedFields(regex: string, isEnabled: boolean): readonly Field[] {
  const { tables, paths } = namesIn(regex)
  const mayFind = useIsAllowed('GET', '/manage/entities')
  const found = useQueries({
    queries: paths.map((path) => ({
      queryKey: ['entities', 'at', path],
      queryFn: () => entityAt(path),
      enabled: isEnabled && mayFind,
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
    combine: (results) => {
      const fields = results.flatMap(({ data }) => data?.fields ?? [])
      return [...new Map(fields.map((field) => [field.column, { ...field, name: field.column }])).values()]
    },
  })
}

/** The names of the entities whose API is at a path: one, or none. */
async function entityAt(path: string): Promise<readonly string[]> {
  const query = { limit: 20, q: path.slice('/apis/'.length) }
  const entities = await dataOf(gateway.GET('/manage/entities', { params: { query } }))
  return entities.flatMap(({ name, resource }) => (resource === path ? [name] : []))
}
