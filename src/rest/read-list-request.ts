/** From the arguments of a list to the plan of a select; they are the same as in GraphQL. */
import type { Column } from '../database/database-schema.ts'
import { AppError } from '../errors/app-error.ts'
import { literalArgument } from '../query/argument.ts'
import type { Filter } from '../query/filter.ts'
import type { Filterable, RelatedRows } from '../query/filterable.ts'
import type { RelationPlan } from '../query/levels/level-plan.ts'
import { orderTag } from '../query/order-tag.ts'
import type { OrderTerm } from '../query/order-term.ts'
import { readEquality, readFilters } from '../query/read-filters.ts'
import { readOrder } from '../query/read-order.ts'
import { readPage } from '../query/read-page.ts'
import { mergedVariables } from '../query/rule-filter.ts'
import type { SelectPlan } from '../query/select-plan.ts'
import type { Variables } from '../query/value-source.ts'
import { isReadable, type RecordRights } from '../record/record-rights.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { shortName } from '../util/short-name.ts'
import { fieldsParameterOf } from './fields/asked-fields.ts'
import { shownRecords, type WriteRecord } from './fields/shown-records.ts'
import { type ListArguments, listParameters } from './list-arguments.ts'

export interface ListRequest {
  readonly plan: SelectPlan
  /** What is read of related records. */
  readonly relations: readonly RelationPlan[]
  readonly write: WriteRecord
  /** A tag of the sort order, for cursors. */
  readonly order: string
  /** The values that rights name. */
  readonly variables: Variables
  /** The indexes of a cursor's values in a row. */
  readonly cursorPositions: readonly number[]
  /**
   * The page size if only `limit` sets it. One more row than that, and than the limit of a response, is fetched, to see
   * whether there is one.
   */
  readonly cut: { readonly offset: number; readonly limit: number } | undefined
}

/** Reads the arguments of a list of at most `rowLimit` records. Throws PARAMETER_INVALID. */
export function readListRequest(
  asked: ListArguments,
  entity: PublishedEntity,
  rowLimit: number,
): ListRequest {
  const { table } = entity
  const reached: RecordRights[] = entity.rights === undefined ? [] : [entity.rights]
  const filterable = filterableOf(entity, reached)
  assertKnown(asked, filterable, fieldsParameterOf(entity))
  const names = (name: 'asc' | 'desc') => argument(name, asked[name])
  const orderBy = readOrder(names('asc'), names('desc'), filterable, table)
  const order = orderTag(table, orderBy)
  const pages = {
    first: argument('first', pageSizeIn(asked, 'first', rowLimit)),
    last: argument('last', pageSizeIn(asked, 'last', rowLimit)),
    after: argument('after', asked.after),
    before: argument('before', asked.before),
  }
  const inPages = [asked.first, asked.last, asked.after, asked.before].some(isGiven)
  const cut = inPages ? undefined : cutOf(asked)
  const limit =
    inPages || (isGiven(asked.limit) && !isSize(asked.limit))
      ? asked.limit
      : Math.min(cut?.limit ?? rowLimit, rowLimit) + 1
  const shown = shownRecords(entity, asked.fields)
  const { columns, positions } = withCursor(shown.columns, orderBy)
  const plan: SelectPlan = {
    table,
    rights: entity.rights?.read?.table,
    columns,
    filter: readFilter(asked, filterable),
    orderBy,
    page: readPage(
      { ...pages, offset: argument('offset', asked.offset), limit: argument('limit', limit) },
      order,
    ),
    wanted: { rows: true, total: asked.count, hasNextPage: inPages, hasPreviousPage: inPages },
  }
  const variables = mergedVariables([...reached, ...shown.rights].map((rights) => rights.variables()))
  const { relations, write } = shown
  return { plan, relations, write, order, variables, cursorPositions: positions, cut }
}

/** The columns of a row, with those of its cursor. */
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

/** `reached` gets the rights on all entities that filters follow. */
function filterableOf(
  { table, rules, rights, related, globalId }: PublishedEntity,
  reached: RecordRights[],
): Filterable {
  const columns = new Map<string, Column>()
  for (const [columnName, column] of table.columns) {
    const rule = rules.fields.get(columnName)
    // A table of the gateway may have extra columns, which can be requested; in an adopted table they were left out.
    if (!isReadable(rights, columnName)) continue
    const isAsked = rule === undefined ? rules.systemColumns.length > 0 : rule.column !== undefined
    const isMasked = rights?.read?.table.masks.has(columnName) ?? false
    if (isAsked) columns.set(columnName, isMasked ? { ...column, nullable: true } : column)
  }
  const follow = (relation: string): RelatedRows | undefined => {
    const found = related?.follow(relation)
    if (found === undefined || 'forbidden' in found) return undefined
    const { entity, ...link } = found
    if (entity.rights !== undefined) reached.push(entity.rights)
    const filterable = filterableOf(entity, reached)
    return { ...link, table: entity.table, rights: entity.rights?.read?.table, filterable }
  }
  return { columns, related: follow, ...(globalId && { globalId }) }
}

function assertKnown(
  { equalities }: ListArguments,
  { columns, globalId }: Filterable,
  parameter: string,
): void {
  for (const name of equalities.keys()) {
    if (columns.has(name) || name === globalId?.name) continue
    const known = [...listParameters, parameter, ...columns.keys()]
    const detail = `There is no parameter ${JSON.stringify(shortName(name))} here${didYouMean(name, known)}. Parameters are ${known.join(', ')}.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
}

/** Equality with every named field, and `filters`; all of them must hold. */
function readFilter({ equalities, filters }: ListArguments, filterable: Filterable): Filter {
  const equal = [...equalities].map(([name, value]) => readEquality(name, argument(name, value), filterable))
  const composite = filters === undefined ? [] : [readFilters(argument('filters', filters), filterable)]
  return { kind: 'and', filters: [...equal, ...composite] }
}

/** The size of a page by cursor; a list without a size is checked after reading. */
function pageSizeIn(asked: ListArguments, name: 'first' | 'last', rowLimit: number): unknown {
  const size = asked[name]
  if (typeof size !== 'number' || size <= rowLimit) return size
  throw invalid(name, `takes at most ${rowLimit} here (list_max_rows)`)
}

function cutOf({ offset, limit }: ListArguments): ListRequest['cut'] {
  const from = offset ?? 0
  return isSize(limit) && isSize(from) ? { offset: from, limit } : undefined
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function argument(name: string, value: unknown) {
  return literalArgument(value, name)
}

function invalid(name: string, rest: string): AppError {
  return new AppError('PARAMETER_INVALID', { detail: `${name} ${rest}.` })
}
