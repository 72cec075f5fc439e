/**
 * From a plan to the statements of one level: the rows, and only where they are asked for the total
 * and whether there are rows on the other side of a cursor. Their number never depends on the data.
 */
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { KeyedSelect } from '../database/syntax.ts'
import { type Binding, fetchCount, rowCount } from './binding.ts'
import { columnOf, compileFilter } from './compile-filter.ts'
import { compilePosition, type Side } from './compile-position.ts'
import type { Filter } from './filter.ts'
import { keyColumnsOf } from './read-order.ts'
import type { CursorSource, OrderTerm, Page, SelectPlan } from './select-plan.ts'
import type { ValueSource } from './value-source.ts'

/** A statement whose values are still to be bound. Plain data. */
export interface StatementTemplate {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

/** What stands behind `select` and the key's position, in a statement that is made of one such select for each key. */
export interface KeyTemplate extends StatementTemplate {
  /** What stands behind all of them. */
  readonly end: string
  /** The texts of statements that were made of it, by their number of selects. */
  readonly texts: Map<number, string>
}

export interface CompiledSelect {
  readonly keyed: boolean
  readonly page: Page
  /** Whether one row more than the page shows is read, which tells whether there are further ones. */
  readonly andOneMore: boolean
  /** Rows come from the end of the list towards its start and are to be turned round. */
  readonly reversed: boolean
  /** Whether `rows` finds one row at most, by the table's key. */
  readonly byKey: boolean
  /** Whether the order leaves no two rows in doubt. */
  readonly isSorted: boolean
  readonly rows?: StatementTemplate
  /** The rows of a single key, for a statement that is made of as many of these as there are keys, where those are few. */
  readonly rowsOfKey?: KeyTemplate
  /** The first rows only, of a list that may be too long to be held: as many as tell whether it is. */
  readonly probe?: StatementTemplate
  readonly total?: StatementTemplate
  /** Gives a row (for keyed selects: a row per key) where the list goes on before `after`. */
  readonly previous?: StatementTemplate
  /** The same beyond `before`. */
  readonly next?: StatementTemplate
}

const alias = 't'

/** A statement whose rows are all held gives at most `heldRows` rows and one more, which tells that there are too many. */
export function compileSelect(plan: SelectPlan, dialect: Dialect, heldRows?: number): CompiledSelect {
  const { page, wanted } = plan
  const finish = (fragment: SqlFragment<Binding>): StatementTemplate => {
    const { sql: text, parameters } = render(fragment, dialect.syntax.placeholder)
    return { sql: text, bindings: parameters }
  }
  const andOneMore = wanted.hasNextPage || wanted.hasPreviousPage
  const needsRows = wanted.rows || wanted.hasNextPage || wanted.hasPreviousPage
  const isOpenEnded = plan.keyColumns !== undefined || isCut(page)
  const atMost = isOpenEnded && heldRows !== undefined ? ` limit ${heldRows + 1}` : ''
  const limit = fetchLimit(page, andOneMore, isStreamable(plan) || isOpenEnded ? undefined : heldRows)
  return {
    keyed: plan.keyColumns !== undefined,
    page,
    andOneMore,
    reversed: isReversed(page),
    byKey: isByKey(plan, dialect),
    isSorted: isSorted(plan),
    ...(needsRows && { rows: finish(sql`${compileRows(plan, dialect, limit)}${raw(atMost)}`) }),
    ...(needsRows && compileRowsOfKey(plan, dialect, limit, atMost, finish)),
    ...(needsRows &&
      isStreamable(plan) && {
        probe: finish(
          compileRows(plan, dialect, parameter<Binding>({ kind: 'probeCount', page, andOneMore })),
        ),
      }),
    ...(wanted.total && { total: finish(compileTotal(plan, dialect)) }),
    ...(wanted.hasPreviousPage &&
      page.after && { previous: finish(compileOtherSide(plan, 'atOrBefore', page.after, dialect)) }),
    ...(wanted.hasNextPage &&
      page.before && { next: finish(compileOtherSide(plan, 'atOrAfter', page.before, dialect)) }),
  }
}

/** Whether `offset` and `limit` must cut the list in an inner statement before the page is taken from it. */
function isCut({ offset, limit, after, before, first, last }: Page): boolean {
  const isOfPartOfList = offset !== undefined || limit !== undefined
  const startsInside = after !== undefined || before !== undefined
  return isOfPartOfList && (startsInside || (last !== undefined && first === undefined))
}

function isReversed(page: Page): boolean {
  return page.last !== undefined && page.first === undefined && !isCut(page)
}

/** Whether the rows can be passed on as they come: one list, in its own order, that goes on to its end or its size. */
function isStreamable({ page, keyColumns }: SelectPlan): boolean {
  return keyColumns === undefined && page.last === undefined && !isCut(page)
}

function isSorted({ table, orderBy }: SelectPlan): boolean {
  const key = keyColumnsOf(table)
  const telling = key.length > 0 ? key : [...table.columns.values()]
  return telling.every(({ name }) => orderBy.some(({ column }) => column.name === name))
}

function isByKey({ table, keyColumns, filter }: SelectPlan, { syntax }: Dialect): boolean {
  if (table.kind === 'view' || keyColumns !== undefined || filter === undefined) return false
  const found = columnsWithOneValue(filter).filter((column) => syntax.equalsByIndex?.(column))
  const names = found.map(({ name }) => name)
  return table.primaryKey.length > 0 && table.primaryKey.every((name) => names.includes(name))
}

/** The columns that every row of the filter has the same values in. */
function columnsWithOneValue(filter: Filter): readonly Column[] {
  if (filter.kind === 'and') return filter.filters.flatMap(columnsWithOneValue)
  return filter.kind === 'compare' && filter.comparison === '==' ? [filter.column] : []
}

/** `heldRows` bounds the number that is fetched, with one more. */
function fetchLimit(
  page: Page,
  andOneMore: boolean,
  heldRows: number | undefined,
): SqlFragment<Binding> | undefined {
  const atMost = heldRows === undefined ? Number.MAX_SAFE_INTEGER : heldRows + 1
  const sized = page.first ?? page.last
  if (sized === undefined) return page.limit && rowCountParameter(page.limit)
  const isWritten = [sized, page.limit].every((source) => source === undefined || isWrittenCount(source))
  return isWritten
    ? raw(String(Math.min(atMost, fetchCount({ page, andOneMore }, {}))))
    : parameter<Binding>({ kind: 'fetchCount', page, andOneMore, atMost })
}

/**
 * Whether a number of rows stands in the document itself. Then it stands in the statement, too: a server that knows how
 * many rows are wanted plans once, where for an unknown number it would plan each time.
 */
function isWrittenCount(source: ValueSource): boolean {
  return source.kind === 'literal' && Number.isSafeInteger(source.value) && (source.value as number) >= 0
}

function compileRows(
  plan: SelectPlan,
  dialect: Dialect,
  limit: SqlFragment<Binding> | undefined,
): SqlFragment<Binding> {
  const { page } = plan
  if (isCut(page)) return compileCut(plan, plan.columns, positionConditions(page), dialect)
  const sortKeys = sortKeysOf(plan.orderBy, dialect)
  const where = conditionsOf(plan, positionConditions(page), sortKeys, dialect)
  return selectRows(
    plan,
    { where, limit, offset: page.offset && rowCountParameter(page.offset), reversed: isReversed(page) },
    dialect,
  )
}

function compileRowsOfKey(
  plan: SelectPlan,
  dialect: Dialect,
  limit: SqlFragment<Binding> | undefined,
  end: string,
  finish: (fragment: SqlFragment<Binding>) => StatementTemplate,
): { readonly rowsOfKey?: KeyTemplate } {
  const { keyColumns, page, orderBy } = plan
  const { selectByKey } = dialect.syntax
  if (selectByKey === undefined || keyColumns === undefined || limit === undefined || isCut(page)) return {}
  const sortKeys = sortKeysOf(orderBy, dialect)
  const select = {
    table: dialect.syntax.quoteTable(plan.table),
    alias,
    keyColumns,
    rowKey: rowKeyOf(plan),
    columns: columnsOf(plan, dialect),
    where: conditionsOf(plan, positionConditions(page), sortKeys, dialect),
    orderBy: orderTerms(orderBy, sortKeys, isReversed(page), dialect),
    limit,
    offset: page.offset && rowCountParameter(page.offset),
  }
  const parts = keyColumns.map((_, part) => parameter<Binding>({ kind: 'keyPart', part }))
  const fragment = selectByKey<Binding>(select, parts)
  return fragment === undefined ? {} : { rowsOfKey: { ...finish(fragment), end, texts: new Map() } }
}

interface Position {
  readonly side: Side
  readonly cursor: CursorSource
}

function positionConditions({ after, before }: Page): readonly Position[] {
  return [
    ...(after ? [{ side: 'after', cursor: after } as const] : []),
    ...(before ? [{ side: 'before', cursor: before } as const] : []),
  ]
}

/** Filter and positions as one condition on the table; undefined where there is none. */
function conditionsOf(
  plan: SelectPlan,
  positions: readonly Position[],
  sortKeys: readonly SqlFragment<never>[],
  dialect: Dialect,
): SqlFragment<Binding> | undefined {
  const conditions = positions.map(({ side, cursor }) =>
    compilePosition(side, cursor, plan.orderBy, sortKeys, dialect),
  )
  if (plan.filter) conditions.unshift(compileFilter(plan.filter, alias, dialect))
  // First, so that rows which the other conditions refuse are counted, too.
  const goOn = dialect.syntax.goOn(plan.table, alias)
  if (goOn) conditions.unshift(goOn)
  return conditions.length === 0 ? undefined : join(conditions, ' and ')
}

interface RowSelection {
  readonly columns?: readonly SqlFragment<never>[]
  readonly where: SqlFragment<Binding> | undefined
  readonly limit?: SqlFragment<Binding> | undefined
  readonly offset?: SqlFragment<Binding> | undefined
  readonly reversed?: boolean
}

function selectRows(plan: SelectPlan, selection: RowSelection, dialect: Dialect): SqlFragment<Binding> {
  const { syntax } = dialect
  const columns = selection.columns ?? columnsOf(plan, dialect)
  const orderBy = orderTerms(
    plan.orderBy,
    sortKeysOf(plan.orderBy, dialect),
    selection.reversed ?? false,
    dialect,
  )
  const { where, limit, offset } = selection
  if (plan.keyColumns) {
    return syntax.selectByKeys<Binding>({
      ...keyedTable(plan, dialect),
      rowKey: rowKeyOf(plan),
      columns,
      where,
      orderBy,
      limit,
      offset,
    })
  }
  const selected = columns.length === 0 ? raw('1') : join(columns, ', ')
  const lock = raw(plan.lock === undefined ? '' : syntax.rowLock[plan.lock])
  return sql<Binding>`select ${selected} from ${tableOf(plan, dialect)}${whereClause(where)}${orderClause(orderBy)}${syntax.limitOffset<Binding>(limit, offset)}${lock}`
}

function columnsOf(plan: SelectPlan, dialect: Dialect): readonly SqlFragment<never>[] {
  return plan.columns.map((column) => dialect.syntax.readColumn(column, columnOf(column, alias, dialect)))
}

function keyedTable(
  plan: SelectPlan,
  { syntax }: Dialect,
): Pick<KeyedSelect<Binding>, 'table' | 'alias' | 'keyColumns' | 'keys'> {
  return {
    table: syntax.quoteTable(plan.table),
    alias,
    keyColumns: plan.keyColumns ?? [],
    keys: parameter<Binding>({ kind: 'keys' }),
  }
}

/** The columns that tell the table's rows apart, where there are such. */
function rowKeyOf({ table }: SelectPlan) {
  return table.primaryKey.flatMap((name) => table.columns.get(name) ?? [])
}

/**
 * A page out of a list that `offset` and `limit` have cut: the inner statement gives the cut list with
 * what it is sorted by (`o0`, `o1`, …) beside the columns (`c0`, `c1`, …), the outer one takes the part
 * between the cursors. `first` and `last` are left to the reader of the rows, in forward order.
 */
function compileCut(
  plan: SelectPlan,
  shown: SelectPlan['columns'],
  positions: readonly Position[],
  dialect: Dialect,
): SqlFragment<Binding> {
  const { syntax } = dialect
  const { offset, limit } = plan.page
  const columns = shown.map(
    (column, index) =>
      sql`${syntax.readColumn(column, columnOf(column, alias, dialect))} as ${raw(`c${index}`)}`,
  )
  const sortKeys = sortKeysOf(plan.orderBy, dialect).map((key, index) => sql`${key} as ${raw(`o${index}`)}`)
  const inner = selectRows(
    plan,
    {
      columns: [...columns, ...sortKeys],
      where: conditionsOf(plan, [], [], dialect),
      limit: limit && rowCountParameter(limit),
      offset: offset && rowCountParameter(offset),
    },
    dialect,
  )
  const outerKeys = plan.orderBy.map((_, index) => raw(`o${index}`))
  const conditions = positions.map(({ side, cursor }) =>
    compilePosition(side, cursor, plan.orderBy, outerKeys, dialect),
  )
  const names = columns.map((_, index) => raw(`c${index}`))
  const selected = plan.keyColumns ? [raw('k'), ...names] : names.length === 0 ? [raw('1')] : names
  const terms = orderTerms(plan.orderBy, outerKeys, false, dialect)
  const orderBy = plan.keyColumns ? [raw('k'), ...terms] : terms
  return sql<Binding>`select ${join(selected, ', ')} from (${inner}) cut${whereClause(conditions.length === 0 ? undefined : join(conditions, ' and '))}${orderClause(orderBy)}`
}

function compileTotal(plan: SelectPlan, dialect: Dialect): SqlFragment<Binding> {
  const all = conditionsOf(plan, [], [], dialect)
  if (plan.keyColumns)
    return dialect.syntax.countByKeys<Binding>({ ...keyedTable(plan, dialect), where: all })
  // A whole table is counted without looking at its rows, where nothing is to be looked at in them.
  const where = isWholeTable(plan) ? undefined : all
  return sql<Binding>`select count(*) from ${tableOf(plan, dialect)}${whereClause(where)}`
}

function isWholeTable({ table, filter }: SelectPlan): boolean {
  const isUnfiltered = filter === undefined || (filter.kind === 'and' && filter.filters.length === 0)
  return table.kind === 'table' && isUnfiltered
}

function compileOtherSide(
  plan: SelectPlan,
  side: Side,
  cursor: CursorSource,
  dialect: Dialect,
): SqlFragment<Binding> {
  if (isCut(plan.page)) return compileCut(plan, [], [{ side, cursor }], dialect)
  const where = conditionsOf(plan, [{ side, cursor }], sortKeysOf(plan.orderBy, dialect), dialect)
  return selectRows(plan, { columns: [], where, limit: raw('1') }, dialect)
}

function sortKeysOf(orderBy: readonly OrderTerm[], dialect: Dialect): readonly SqlFragment<never>[] {
  return orderBy.map(({ column }) => dialect.syntax.sortKey(column, columnOf(column, alias, dialect)))
}

function orderTerms(
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  reversed: boolean,
  { syntax }: Dialect,
): readonly SqlFragment<never>[] {
  return orderBy.map(({ column, direction }, index) => {
    const turned = reversed === (direction === 'asc') ? 'desc' : 'asc'
    return syntax.orderTerm(keys[index] ?? raw('1'), turned, column.nullable)
  })
}

function tableOf(plan: SelectPlan, { syntax }: Dialect): SqlFragment<never> {
  return raw(`${syntax.quoteTable(plan.table)} ${alias}`)
}

function whereClause(where: SqlFragment<Binding> | undefined): SqlFragment<Binding> {
  return where === undefined ? raw('') : sql<Binding>` where ${where}`
}

function orderClause(terms: readonly SqlFragment<never>[]): SqlFragment<never> {
  return terms.length === 0 ? raw('') : sql` order by ${join(terms, ', ')}`
}

function rowCountParameter(source: ValueSource): SqlFragment<Binding> {
  return isWrittenCount(source)
    ? raw(String(rowCount(source, {})))
    : parameter<Binding>({ kind: 'count', source })
}
