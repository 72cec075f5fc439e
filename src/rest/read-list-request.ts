/** From the query parameters of a list to the plan of a select; the same arguments as GraphQL's lists have. */
import type { Column } from '../database/database-schema.ts'
import { AppError } from '../errors/app-error.ts'
import { literalArgument } from '../query/argument.ts'
import { orderTag } from '../query/cursor.ts'
import type { Filter } from '../query/filter.ts'
import type { Filterable } from '../query/filterable.ts'
import { readEquality, readFilters } from '../query/read-filters.ts'
import { readOrder } from '../query/read-order.ts'
import { readPage } from '../query/read-page.ts'
import type { OrderTerm, SelectPlan } from '../query/select-plan.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { layoutOf } from './record-layout.ts'

/** The query parameters of a call by name: a text, or a list where one was sent several times. */
export type Query = Readonly<Record<string, string | readonly string[]>>

export interface ListRequest {
  readonly plan: SelectPlan
  /** The tag of the order, for cursors. */
  readonly order: string
  /** Where in a row the values of its cursor stand. */
  readonly cursorPositions: readonly number[]
  /**
   * Where the page is cut by `limit` alone. One row more than that, and than may be answered at all, is fetched, to see
   * whether there is one.
   */
  readonly cut: { readonly offset: number; readonly limit: number } | undefined
}

/** The parameters of a list itself, besides those of its fields. */
export const listParameters = [
  'filters',
  'asc',
  'desc',
  'offset',
  'limit',
  'first',
  'last',
  'after',
  'before',
  'count',
] as const
type OwnParameter = (typeof listParameters)[number]
const filtersDepthLimit = 16

/** Reads the parameters of a list of at most `rowLimit` records. Throws PARAMETER_INVALID. */
export function readListRequest(query: Query, entity: PublishedEntity, rowLimit: number): ListRequest {
  const { table } = entity
  const filterable = filterableOf(entity)
  assertKnown(query, filterable)
  const orderBy = readOrder(namesIn(query, 'asc'), namesIn(query, 'desc'), filterable, table)
  const order = orderTag(table, orderBy)
  const sizes = { offset: sizeIn(query, 'offset'), limit: sizeIn(query, 'limit') }
  const pages = {
    first: argument('first', pageSizeIn(query, 'first', rowLimit)),
    last: argument('last', pageSizeIn(query, 'last', rowLimit)),
    after: argument('after', single(query, 'after')),
    before: argument('before', single(query, 'before')),
  }
  const inPages = ['first', 'last', 'after', 'before'].some((name) => Object.hasOwn(query, name))
  const cut = inPages ? undefined : cutOf(sizes)
  const limit =
    inPages || isUnread(sizes.limit) ? sizes.limit : Math.min(cut?.limit ?? rowLimit, rowLimit) + 1
  const { columns, positions } = withCursor(layoutOf(entity).columns, orderBy)
  const plan: SelectPlan = {
    table,
    columns,
    filter: readFilter(query, entity, filterable),
    orderBy,
    page: readPage(
      { ...pages, offset: argument('offset', sizes.offset), limit: argument('limit', limit) },
      order,
    ),
    wanted: { rows: true, total: flagIn(query, 'count'), hasNextPage: inPages, hasPreviousPage: inPages },
  }
  return { plan, order, cursorPositions: positions, cut }
}

/** What is read of a row, with what its cursor holds. */
function withCursor(
  shown: readonly Column[],
  orderBy: readonly OrderTerm[],
): { readonly columns: readonly Column[]; readonly positions: readonly number[] } {
  const columns = [...shown]
  const positions = orderBy.map(({ column }) => {
    const known = column.storedApart ? -1 : columns.findIndex(({ name }) => name === column.name)
    if (known !== -1) return known
    return columns.push(column.storedApart ? { ...column, isStoredForm: true } : column) - 1
  })
  return { columns, positions }
}

/** Whether a parameter is one of a field, and not of the list itself. */
function isFilter(name: string): boolean {
  return !listParameters.some((own) => own === name)
}

function filterableOf({ name, table, rules }: PublishedEntity): Filterable {
  const columns = new Map<string, Column>()
  const key = table.primaryKey.flatMap((column) => table.columns.get(column) ?? [])
  for (const [columnName, column] of table.columns) {
    const rule = rules.fields.get(columnName)
    // In a table of our own a column that nobody knows may be asked for; from others' it was left out.
    const isAsked = rule === undefined ? rules.systemColumns.length > 0 : rule.column !== undefined
    if (isAsked) columns.set(columnName, column)
  }
  return { columns, globalId: { name: 'GlobalId', typeName: `${name}_`, key } }
}

function assertKnown(query: Query, { columns }: Filterable): void {
  for (const name of Object.keys(query)) {
    if (!isFilter(name) || columns.has(name) || name === 'GlobalId') continue
    const known = [...listParameters, ...columns.keys()]
    const detail = `There is no parameter ${JSON.stringify(name)} here${didYouMean(name, known)}. Parameters are ${known.join(', ')}.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
}

/** Equality with every field's parameter, and `filters`; all of them must hold. */
function readFilter(query: Query, { rules }: PublishedEntity, filterable: Filterable): Filter {
  const equalities = Object.entries(query)
    .filter(([name]) => isFilter(name))
    .map(([name, value]) => {
      const read = rules.fields.get(name)?.codec.readParameter ?? ((text: string) => text)
      const values = typeof value === 'string' ? read(value) : value.map(read)
      return readEquality(name, argument(name, values), filterable)
    })
  const text = single(query, 'filters')
  const filters = text === undefined ? [] : [readFilters(argument('filters', parseFilters(text)), filterable)]
  return { kind: 'and', filters: [...equalities, ...filters] }
}

function parseFilters(text: string): unknown {
  let filters: unknown
  try {
    filters = JSON.parse(text)
  } catch (cause) {
    throw invalid('filters', 'takes JSON such as [{"key":"name","op":"==","val":"x"}]', cause)
  }
  let level: readonly unknown[] = [filters]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > filtersDepthLimit) throw invalid('filters', `takes at most ${filtersDepthLimit} levels`)
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return filters
}

/** Names of fields, in one parameter with commas or in several. */
function namesIn(query: Query, name: 'asc' | 'desc') {
  const value = query[name] ?? []
  const names = (typeof value === 'string' ? [value] : value).flatMap((text) => text.split(','))
  return argument(
    name,
    names.map((field) => field.trim()).filter((field) => field !== ''),
  )
}

/** A number of rows; whatever is none is left as it is, for the reader of numbers to refuse. */
function sizeIn(query: Query, name: OwnParameter): number | string | undefined {
  const text = single(query, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** The size of a page that is cut by a cursor; a list without one is counted when it is there. */
function pageSizeIn(query: Query, name: 'first' | 'last', rowLimit: number): number | string | undefined {
  const size = sizeIn(query, name)
  if (typeof size !== 'number' || size <= rowLimit) return size
  throw invalid(name, `takes at most ${rowLimit} here (list_max_rows)`)
}

/** Whether a size was sent that is no number. */
function isUnread(size: number | string | undefined): size is string {
  return typeof size === 'string'
}

function flagIn(query: Query, name: OwnParameter): boolean {
  const text = single(query, name)
  if (text === undefined || text === 'false') return false
  if (text === 'true' || text === '') return true
  throw invalid(name, 'takes true or false')
}

function single(query: Query, name: OwnParameter): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw invalid(name, 'may be sent only once')
}

function cutOf({
  offset = 0,
  limit,
}: {
  offset: number | string | undefined
  limit: number | string | undefined
}) {
  return typeof limit === 'number' && typeof offset === 'number' ? { offset, limit } : undefined
}

function argument(name: string, value: unknown) {
  return literalArgument(value, name)
}

function invalid(name: string, rest: string, cause?: unknown): AppError {
  return new AppError('PARAMETER_INVALID', { detail: `${name} ${rest}.`, cause })
}
