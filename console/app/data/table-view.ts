/** What of a table is shown, as its address says it: so that it can be shared, and the way back works. */
import { documentOfFilters, type Filters } from './filters.ts'
import type { Field, Table } from './tables.ts'

/** Which page of a list. */
export type Place =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'after' | 'before'; readonly cursor: string }
  | { readonly kind: 'offset'; readonly offset: number }

/** What of a table is shown. */
export interface TableView {
  /** The composite filter as text; '' for none. */
  readonly filters: string
  /** A text that one of the text fields contains; '' for any. */
  readonly search: string
  /** Fields to sort by: these first, smallest first, … */
  readonly asc: readonly string[]
  /** … then these, largest first. */
  readonly desc: readonly string[]
  readonly place: Place
}

/** The first page of everything. */
export const wholeTable: TableView = { filters: '', search: '', asc: [], desc: [], place: { kind: 'start' } }

/** The view that the query of an address asks for. */
export function viewOf(query: URLSearchParams): TableView {
  return {
    filters: query.get('filters') ?? '',
    search: query.get('q') ?? '',
    asc: names(query.get('asc')),
    desc: names(query.get('desc')),
    place: placeOf(query),
  }
}

/** The query of the address of a view. */
export function queryOfView({ filters, search, asc, desc, place }: TableView): URLSearchParams {
  const query = new URLSearchParams()
  const add = (name: string, value: string) => {
    if (value !== '') query.set(name, value)
  }
  add('filters', filters)
  add('q', search)
  add('asc', asc.join())
  add('desc', desc.join())
  if (place.kind === 'after' || place.kind === 'before') add(place.kind, place.cursor)
  if (place.kind === 'offset') add('offset', String(place.offset))
  if (place.kind === 'end') add('place', 'end')
  return query
}

/** The address below the console of a table, filtered if there are filters. */
export function pathOfTable(table: string, filters: Filters = []): string {
  return pathOfView(table, { ...wholeTable, filters: filters.length === 0 ? '' : JSON.stringify(filters) })
}

/** The address below the console of a view of a table. */
export function pathOfView(table: string, view: TableView): string {
  const query = queryOfView(view)
  return `/data/${encodeURIComponent(table)}${query.size === 0 ? '' : `?${query}`}`
}

/** The address below the console of a record. */
export function pathOfRecord(table: string, id: string): string {
  return `/data/${encodeURIComponent(table)}/${encodeURIComponent(id)}`
}

/**
 * The view after a click on the head of a field: not sorted, smallest first, largest first by turns. Other fields stay if
 * `isFurther`.
 */
export function sortedBy(view: TableView, field: string, isFurther: boolean): TableView {
  const isAsc = view.asc.includes(field)
  const isDesc = view.desc.includes(field)
  const others = (list: readonly string[]) => (isFurther ? list.filter((name) => name !== field) : [])
  return {
    ...view,
    asc: [...others(view.asc), ...(isAsc || isDesc ? [] : [field])],
    desc: [...others(view.desc), ...(isAsc ? [field] : [])],
    place: { kind: 'start' },
  }
}

/** How a field takes part in the order; undefined if it does not. */
export function orderOf(
  { asc, desc }: TableView,
  field: string,
): { readonly direction: 'asc' | 'desc'; readonly position: number } | undefined {
  const position = [...asc, ...desc].indexOf(field)
  return position === -1 ? undefined : { direction: position < asc.length ? 'asc' : 'desc', position }
}

/** The fields that a search looks into. */
export function searchedFields({ fields }: Pick<Table, 'fields'>): readonly Field[] {
  return fields.filter(({ kind, entity_type: type }) => kind === 'string' && type !== 'array').slice(0, 50)
}

/** The filters of a view as the gateway takes them; undefined for none. */
export function filtersOfView(view: TableView, table: Pick<Table, 'fields'>): unknown {
  const contains = searchedFields(table).map(
    ({ name }) => ({ key: name, op: 'contains', val: view.search }) as const,
  )
  return documentOfFilters(view.filters, view.search === '' || contains.length === 0 ? [] : [contains])
}

function names(text: string | null): readonly string[] {
  return [...new Set(text?.split(',').filter((name) => name !== ''))]
}

function placeOf(query: URLSearchParams): Place {
  const [after, before] = [query.get('after'), query.get('before')]
  if (after !== null) return { kind: 'after', cursor: after }
  if (before !== null) return { kind: 'before', cursor: before }
  if (query.get('place') === 'end') return { kind: 'end' }
  const offset = Number(query.get('offset') ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? { kind: 'offset', offset } : { kind: 'start' }
}
