/**
 * From a plan to the statements of one level: the rows; and only on request the total, and whether there are rows on
 * the other side of a cursor. The number of statements never depends on the data.
 */
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import { type CompiledAggregates, compileAggregates } from './compile-aggregates.ts'
import { compilePosition, type Side } from './compile-position.ts'
import { compileRanges } from './compile-ranges.ts'
import type { Filter } from './filter.ts'
import { orderOfRange } from './list-ranges.ts'
import { positionColumn, tellingColumnsOf } from './read-order.ts'
import {
  alias,
  columnsOf,
  conditionsOf,
  fetchLimit,
  isReversed,
  isSliced,
  isWholeTable,
  keyedTable,
  orderClause,
  orderTerms,
  type Position,
  positionConditions,
  readOf,
  rowCountParameter,
  selectRows,
  selectRowsOfKey,
  sortKeysOf,
  tableOf,
  whereClause,
} from './select-parts.ts'
import type { CursorSource, Page, SelectPlan } from './select-plan.ts'
import type { StatementTemplate } from './statement-template.ts'

/** The text after `select` and the key's position, for a statement that consists of one such select per key. */
export interface KeyTemplate extends StatementTemplate {
  /** Up to how many keys the statement may have. */
  readonly mostKeys: number
  /** The text after all selects. */
  readonly end: string
  /** Generated statements, by their number of selects. */
  readonly texts: Map<number, string>
}

export interface CompiledSelect {
  readonly keyed: boolean
  readonly page: Page
  /** Whether one row more than the page shows is read, to find out whether there are more. */
  readonly andOneMore: boolean
  /** Rows are read from the end of the list to its start, and have to be reversed. */
  readonly reversed: boolean
  /** Whether `rows` finds at most one row, by the index of the table's key. */
  readonly byKey: boolean
  /** Whether `rows` finds only the few rows of one key. */
  readonly ofOneKey: boolean
  /** Whether the order is total. */
  readonly isSorted: boolean
  readonly rows?: StatementTemplate
  /** The rows of a single key, for a statement with one such select per key if there are few keys, or only one. */
  readonly rowsOfKey?: KeyTemplate
  /** Reads only the first rows of a list that may be too long for memory: enough to find out whether it is. */
  readonly probe?: StatementTemplate
  readonly total?: StatementTemplate
  readonly aggregates: readonly CompiledAggregates[]
  /** Returns a row (for keyed selects: a row per key) if the list has rows before `after`. */
  readonly previous?: StatementTemplate
  /** The same for rows after `before`. */
  readonly next?: StatementTemplate
}

/**
 * A statement whose rows are all kept in memory reads at most `heldRows` rows, and one more to detect that there are
 * too many.
 */
export function compileSelect(plan: SelectPlan, dialect: Dialect, heldRows?: number): CompiledSelect {
  const { page, wanted } = plan
  const finish = (fragment: SqlFragment<Binding>): StatementTemplate => {
    const { sql: text, parameters } = render(fragment, dialect.syntax.placeholder)
    return { sql: text, bindings: parameters }
  }
  const andOneMore = needsOneMore(plan)
  const needsRows = wanted.rows || wanted.hasNextPage || wanted.hasPreviousPage
  const isKeyed = plan.keyColumns !== undefined
  const atMost = isKeyed && heldRows !== undefined ? ` limit ${heldRows + 1}` : ''
  const limit = fetchLimit(page, andOneMore, isStreamable(plan) || isKeyed ? undefined : heldRows)
  return {
    keyed: isKeyed,
    page,
    andOneMore,
    reversed: isReversed(page),
    byKey: namesKey(plan, (column) => dialect.syntax.equalsByIndex?.(column) === true),
    ofOneKey: namesKey(plan, () => true),
    isSorted: isSorted(plan),
    ...(needsRows && { rows: finish(sql`${compileRows(plan, dialect, limit)}${raw(atMost)}`) }),
    ...(needsRows && compileRowsOfKey(plan, dialect, heldRows, finish)),
    ...(needsRows &&
      isStreamable(plan) && {
        probe: finish(
          compileRows(plan, dialect, parameter<Binding>({ kind: 'probeCount', page, andOneMore })),
        ),
      }),
    aggregates: (plan.aggregates ?? []).map((one) => compileAggregates(plan, one, dialect, heldRows)),
    ...(wanted.total && {
      total: { ...finish(compileTotal(plan, dialect)), ...compileTotalOfKey(plan, dialect, finish) },
    }),
    ...(wanted.hasPreviousPage &&
      page.after && { previous: finish(compileOtherSide(plan, 'atOrBefore', page.after, dialect)) }),
    ...(wanted.hasNextPage &&
      page.before && { next: finish(compileOtherSide(plan, 'atOrAfter', page.before, dialect)) }),
  }
}

function needsOneMore({ wanted }: SelectPlan): boolean {
  return wanted.hasNextPage || wanted.hasPreviousPage
}

/** Whether the rows can be passed on as they are read: one list, in forward order, up to its end or size. */
function isStreamable({ page, keyColumns }: SelectPlan): boolean {
  return keyColumns === undefined && page.last === undefined
}

function isSorted({ table, orderBy }: SelectPlan): boolean {
  if (orderBy.some(({ column }) => column === positionColumn)) return true
  const key = tellingColumnsOf(table)
  const telling = key.length > 0 ? key : [...table.columns.values()]
  return telling.every(({ name }) => orderBy.some(({ column }) => column.name === name))
}

function namesKey({ table, keyColumns, filter }: SelectPlan, isFound: (column: Column) => boolean): boolean {
  if (table.kind === 'view' || keyColumns !== undefined || filter === undefined) return false
  const names = columnsWithOneValue(filter)
    .filter(isFound)
    .map(({ name }) => name)
  return table.primaryKey.length > 0 && table.primaryKey.every((name) => names.includes(name))
}

/** The columns in which all rows of the filter have the same values. */
function columnsWithOneValue(filter: Filter): readonly Column[] {
  if (filter.kind === 'and') return filter.filters.flatMap(columnsWithOneValue)
  const isEquality = (filter.kind === 'compare' && filter.comparison === '==') || filter.kind === 'isKey'
  return isEquality ? [filter.column] : []
}

function compileRows(
  plan: SelectPlan,
  dialect: Dialect,
  limit: SqlFragment<Binding> | undefined,
): SqlFragment<Binding> {
  const { page } = plan
  if (isSliced(page))
    return compileSlice(plan, { columns: plan.columns, positions: positionConditions(page), limit }, dialect)
  if (limit !== undefined && plan.keyColumns === undefined && plan.lock === undefined)
    return compileRanges(plan, dialect, limit)
  const sortKeys = sortKeysOf(plan.orderBy, dialect)
  const where = conditionsOf(plan, positionConditions(page), sortKeys, dialect)
  return selectRows(
    plan,
    { where, limit, offset: page.offset && rowCountParameter(page.offset), reversed: isReversed(page) },
    dialect,
  )
}

/** Up to this many keys, a statement may have one select per key. */
const fewKeys = 64

function compileRowsOfKey(
  plan: SelectPlan,
  dialect: Dialect,
  heldRows: number | undefined,
  finish: (fragment: SqlFragment<Binding>) => StatementTemplate,
): { readonly rowsOfKey?: KeyTemplate } {
  const { page, orderBy } = plan
  if (isSliced(page)) return {}
  const sortKeys = sortKeysOf(orderBy, dialect)
  const andOneMore = needsOneMore(plan)
  const ofEach = fetchLimit(page, andOneMore, undefined)
  const isForFew = dialect.syntax.joinsSelectsByKey === true && ofEach !== undefined
  const ofAll = heldRows === undefined ? '' : ` limit ${heldRows + 1}`
  const ofOne =
    fetchLimit(page, andOneMore, heldRows) ?? (heldRows === undefined ? undefined : raw(String(heldRows + 1)))
  const select = {
    columns: columnsOf(plan, dialect),
    where: conditionsOf(plan, positionConditions(page), sortKeys, dialect),
    orderBy: orderOfRange(plan, [], isReversed(page), alias, dialect),
    limit: isForFew ? ofEach : ofOne,
    offset: page.offset && rowCountParameter(page.offset),
  }
  const fragment = selectRowsOfKey(plan, select, dialect)
  if (fragment === undefined) return {}
  const statement = isForFew ? { mostKeys: fewKeys, end: ofAll } : { mostKeys: 1, end: '' }
  return { rowsOfKey: { ...finish(fragment), ...statement, texts: new Map() } }
}

/** What is read of a section of a list. */
interface SliceSelection {
  readonly columns: SelectPlan['columns']
  readonly positions: readonly Position[]
  /** The most rows; for a keyed select there is no limit. */
  readonly limit: SqlFragment<Binding> | undefined
}

/**
 * A page of a list that `offset` and `limit` restrict: the inner statement selects that section of the list with its
 * sort keys (`o0`, `o1`, …) beside the columns (`c0`, `c1`, …), the outer one the rows between the cursors, from the
 * end that the page is at.
 */
function compileSlice(
  plan: SelectPlan,
  { columns: shown, positions, limit: most }: SliceSelection,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { offset, limit } = plan.page
  const columns = shown.map((column, index) => sql`${readOf(column, dialect)} as ${raw(`c${index}`)}`)
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
  const terms = orderTerms(plan.orderBy, outerKeys, isReversed(plan.page), dialect)
  const orderBy = plan.keyColumns ? [raw('k'), ...terms] : terms
  const end = plan.keyColumns ? raw('') : dialect.syntax.limitOffset<Binding>(most, undefined)
  return sql<Binding>`select ${join(selected, ', ')} from (${inner}) cut${whereClause(conditions.length === 0 ? undefined : join(conditions, ' and '))}${orderClause(orderBy)}${end}`
}

function compileTotal(plan: SelectPlan, dialect: Dialect): SqlFragment<Binding> {
  const all = conditionsOf(plan, [], [], dialect)
  if (plan.keyColumns)
    return dialect.syntax.countByKeys<Binding>({ ...keyedTable(plan, dialect), where: all })
  // A whole table is counted without reading its rows, if there is nothing to check in them.
  const where = isWholeTable(plan) ? undefined : all
  return sql<Binding>`select count(*) from ${tableOf(plan, dialect)}${whereClause(where)}`
}

function compileTotalOfKey(
  plan: SelectPlan,
  dialect: Dialect,
  finish: (fragment: SqlFragment<Binding>) => StatementTemplate,
): Pick<StatementTemplate, 'ofOneKey'> {
  const where = conditionsOf(plan, [], [], dialect)
  const count = selectRowsOfKey(plan, { columns: [raw('count(*)')], where, orderBy: [] }, dialect)
  return count === undefined ? {} : { ofOneKey: finish(sql<Binding>`select 0 as k${count}`) }
}

function compileOtherSide(
  plan: SelectPlan,
  side: Side,
  cursor: CursorSource,
  dialect: Dialect,
): SqlFragment<Binding> {
  if (isSliced(plan.page))
    return compileSlice(plan, { columns: [], positions: [{ side, cursor }], limit: raw('1') }, dialect)
  const where = conditionsOf(plan, [{ side, cursor }], sortKeysOf(plan.orderBy, dialect), dialect)
  return selectRows(plan, { columns: [], where, limit: raw('1') }, dialect)
}
