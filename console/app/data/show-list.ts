/** What the pages of tables and records send, as calls that can be shown. */
import type { ShownCall } from '../components/show-as.ts'
import { type ListArguments, recordDocument, rowsDocument } from './row-documents.ts'
import { tableRights } from './table-rights.ts'
import type { Table } from './tables.ts'
import type { ChosenColumns } from './use-columns.ts'
import { wantedFor, wantedWhole } from './wanted.ts'

/** The call for a list: of the published API if there is one that may be read, otherwise of GraphQL. */
export function listCall(
  table: Table,
  { shown }: Pick<ChosenColumns, 'shown'>,
  list: ListArguments,
): ShownCall {
  if (table.api !== null && tableRights(table).LIST) {
    return { method: 'GET', path: `${table.api.path}?${parametersOf(list, isNamedAlike(table))}` }
  }
  const { document: query, variables } = rowsDocument(table, wantedFor(shown, table), list)
  return { method: 'POST', path: '/graphql', body: { query, variables } }
}

/** The call for one record. `path` is its address in the published API, if it has one. */
export function recordCall(table: Table, id: string, path: string | undefined): ShownCall {
  if (path !== undefined && tableRights(table).GET) return { method: 'GET', path }
  const { document: query, variables } = recordDocument(table, wantedWhole(table), id)
  return { method: 'POST', path: '/graphql', body: { query, variables } }
}

/** The names of fields by their names in GraphQL. */
function isNamedAlike({ fields }: Table): (name: string) => string {
  const names = new Map(fields.map(({ name, api_name: own }) => [name, own ?? name]))
  return (name) => names.get(name) ?? name
}

function parametersOf(
  { filters, asc, desc, place, size }: ListArguments,
  nameOf: (name: string) => string,
): URLSearchParams {
  const query = new URLSearchParams({ first: String(size) })
  if (filters !== undefined) query.set('filters', JSON.stringify(withNames(filters, nameOf)))
  if (asc.length > 0) query.set('asc', asc.map(nameOf).join())
  if (desc.length > 0) query.set('desc', desc.map(nameOf).join())
  if (place.kind === 'after') query.set('after', place.cursor)
  if (place.kind === 'before' || place.kind === 'end') {
    query.delete('first')
    query.set('last', String(size))
  }
  if (place.kind === 'before') query.set('before', place.cursor)
  if (place.kind === 'offset') query.set('offset', String(place.offset))
  return query
}

/** A filter document with the names that the published API has. */
function withNames(filters: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(filters)) return filters.map((part) => withNames(part, nameOf))
  if (typeof filters !== 'object' || filters === null) return filters
  const { key, ...rest } = filters as { readonly key?: unknown }
  return typeof key === 'string' ? { key: nameOf(key), ...rest } : filters
}
