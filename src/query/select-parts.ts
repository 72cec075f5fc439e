/** The parts of every select: table, columns, conditions and order. */
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { KeyedSelect } from '../database/syntax.ts'
import { type Binding, fetchCount, rowCount } from './binding.ts'
import {
  areGiven,
  columnOf,
  compileFilter,
  compileLeftJoin,
  compileNarrowed,
  readName,
  readTable,
  storedColumn,
} from './compile-filter.ts'
import { compilePosition, type Side } from './compile-position.ts'
import { orderOfRange } from './list-ranges.ts'
import type { ShownList } from './mutate-plan.ts'
import { joinedStepsOf, type OrderTerm, pathOf } from './order-term.ts'
import { positionColumn } from './read-order.ts'
import type { CursorSource, Page, SelectPlan } from './select-plan.ts'
import type { ValueSource } from './value-source.ts'

/** The alias of the table in a statement. */
export const alias = 't'

/** Whether `offset` and `limit` need an inner statement from which the page is taken. */
export function isSliced({ offset, limit, after, before, first, last }: Page): boolean {
  const isOfPartOfList = offset !== undefined || limit !== undefined
  const startsInside = after !== undefined || before !== undefined
  return isOfPartOfList && (startsInside || (last !== undefined && first === undefined))
}

/** Whether rows are read from the end of the list to its start. */
export function isReversed(page: Page): boolean {
  return page.last !== undefined && page.first === undefined
}

/**
 * Whether a number of rows is written in the document. Then it is written in the statement, too: a server that knows
 * the number plans once, but for an unknown number would plan each time.
 */
function isWrittenCount(source: ValueSource): boolean {
  return source.kind === 'literal' && Number.isSafeInteger(source.value) && (source.value as number) >= 0
}

/** A cursor and a side of it. */
export interface Position {
  readonly side: Side
  readonly cursor: CursorSource
}

/** The cursors at which the page begins and ends. */
export function positionConditions({ after, before }: Page): readonly Position[] {
  return [
    ...(after ? [{ side: 'after', cursor: after } as const] : []),
    ...(before ? [{ side: 'before', cursor: before } as const] : []),
  ]
}

/** Filter and positions as one condition on the table; undefined if there is none. */
export function conditionsOf(
  plan: SelectPlan,
  positions: readonly Position[],
  sortKeys: readonly SqlFragment<never>[],
  dialect: Dialect,
): SqlFragment<Binding> | undefined {
  const conditions = positions.map(({ side, cursor }) =>
    compilePosition(side, cursor, plan.orderBy, sortKeys, dialect),
  )
  if (plan.filter) conditions.unshift(compileFilter(plan.filter, alias, dialect))
  const isNarrowed = isNarrowedSource(plan)
  if (plan.rights !== undefined)
    conditions.unshift(...areGiven(plan.keyColumns ?? [], plan.rights, alias, dialect))
  if (plan.rights?.rows && !isNarrowed) conditions.unshift(compileFilter(plan.rights.rows, alias, dialect))
  // First, so that rows which the other conditions exclude are counted, too.
  const { rowNumbered: _, ...named } = plan.table
  const isTable = !isNarrowed && relatedTermsOf(plan).length === 0
  const cancellationCheck = dialect.syntax.cancellationCheck(isTable ? plan.table : named, alias)
  if (cancellationCheck) conditions.unshift(cancellationCheck)
  return conditions.length === 0 ? undefined : join(conditions, ' and ')
}

/** What one select reads of a plan, if not everything. */
export interface RowSelection {
  /** The source, if it is not just the table. */
  readonly from?: SqlFragment<Binding> | undefined
  readonly columns?: readonly SqlFragment<never>[]
  readonly where: SqlFragment<Binding> | undefined
  readonly limit?: SqlFragment<Binding> | undefined
  readonly offset?: SqlFragment<Binding> | undefined
  readonly reversed?: boolean
  /** The order, if it is not the plan's. */
  readonly orderBy?: readonly SqlFragment<never>[]
}

/** One select of a plan. */
export function selectRows(
  plan: SelectPlan,
  selection: RowSelection,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { syntax } = dialect
  const columns = selection.columns ?? columnsOf(plan, dialect)
  const orderBy = selection.orderBy ?? orderOfRange(plan, [], selection.reversed ?? false, alias, dialect)
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
  return sql<Binding>`select ${selected} from ${selection.from ?? tableOf(plan, dialect)}${whereClause(where)}${orderClause(orderBy)}${syntax.limitOffset<Binding>(limit, offset)}${lock}`
}

/** The columns that are read of each row. */
export function columnsOf(plan: SelectPlan, dialect: Dialect): readonly SqlFragment<never>[] {
  return plan.columns.map((column) => readOf(column, dialect))
}

/** What a select of a single key reads of its row: the position of the key, and the columns. */
export function listOfOneKey(plan: SelectPlan, dialect: Dialect): ShownList {
  return render(join([raw('0 as k'), ...columnsOf(plan, dialect)], ', '), dialect.syntax.placeholder).sql
}

/** The expression that reads a column. */
export function readOf(column: Column, dialect: Dialect): SqlFragment<never> {
  const { syntax } = dialect
  const own = columnOf(column, alias, dialect)
  const read = column.isStoredForm ? syntax.storedForm(column, own) : syntax.readColumn(column, own)
  if (column.onlyWithout === undefined) return read
  const isNull = column.onlyWithout.map(
    (name) => sql<never>`${raw(alias)}.${raw(readName(name, dialect))} is null`,
  )
  return sql`case when ${join(isNull, ' or ')} then ${read} end`
}

/** The table of a select for many keys. */
export function keyedTable(
  plan: SelectPlan,
  dialect: Dialect,
): Pick<KeyedSelect<Binding>, 'table' | 'alias' | 'keyColumns' | 'keys'> {
  return {
    table: sourceOf(plan, dialect),
    alias,
    keyColumns: comparedKey(plan) ?? [],
    keys: parameter<Binding>({ kind: 'keys' }),
  }
}

/** The columns that are compared with the keys. */
function comparedKey({ keyColumns, table, rights }: SelectPlan): readonly Column[] | undefined {
  return keyColumns?.map((column) => storedColumn(table, column, rights))
}

/** What is read of the rows of a single key. */
type RowsOfKey = Pick<RowSelection, 'where' | 'limit' | 'offset'> &
  Required<Pick<RowSelection, 'columns' | 'orderBy'>>

/**
 * The rows of a single key; the fragment is put after `select` and the key's position. Undefined where no such select is faster than one for
 * a list of keys.
 */
export function selectRowsOfKey(
  plan: SelectPlan,
  { columns, where, orderBy, limit, offset }: RowsOfKey,
  dialect: Dialect,
): SqlFragment<Binding> | undefined {
  const keyColumns = comparedKey(plan)
  if (keyColumns === undefined) return undefined
  const table = sourceOf(plan, dialect)
  const parts = keyColumns.map((_, part) => parameter<Binding>({ kind: 'keyPart', part }))
  const select = { table, alias, keyColumns, rowKey: rowKeyOf(plan), columns, where, orderBy, limit, offset }
  return dialect.syntax.selectByKey?.<Binding>(select, parts)
}

/** Columns that are unique together, if the table has any. */
function rowKeyOf({ table }: SelectPlan) {
  // A key may contain nulls, which equal nothing.
  if (table.rowNumber !== undefined) return [table.rowNumber]
  return table.primaryKey.flatMap((name) => table.columns.get(name) ?? [])
}

/** The expressions that the rows are sorted by. */
export function sortKeysOf(orderBy: readonly OrderTerm[], dialect: Dialect): readonly SqlFragment<never>[] {
  return orderBy.map(({ column }) => dialect.syntax.sortKey(column, columnOf(column, alias, dialect)))
}

/** The terms of `order by` for the given sort keys. */
export function orderTerms(
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  reversed: boolean,
  { syntax }: Dialect,
): readonly SqlFragment<never>[] {
  return orderBy.map(({ column, direction }, index) => {
    const turned = reversed === (direction === 'asc') ? 'desc' : 'asc'
    return syntax.orderTerm(keys[index] ?? raw('1'), turned, column)
  })
}

/** The table with its alias. */
export function tableOf(plan: SelectPlan, dialect: Dialect): SqlFragment<Binding> {
  return sql<Binding>`${sourceOf(plan, dialect)} ${raw(alias)}`
}

/** The table; or what the caller may read of it; or its rows numbered in an order. */
export function sourceOf(plan: SelectPlan, dialect: Dialect): SqlFragment<Binding> {
  const { table, numberedBy, rights } = plan
  const read =
    rights !== undefined && isNarrowedSource(plan)
      ? compileNarrowed(table, rights, alias, dialect, plan.lock)
      : raw(readTable(table, dialect))
  const own = withRelatedColumns(read, plan, dialect)
  if (numberedBy === undefined) return own
  const order = join(orderTerms(numberedBy, sortKeysOf(numberedBy, dialect), false, dialect), ', ')
  const name = raw(readName(positionColumn.name, dialect))
  return sql<Binding>`(select ${raw(alias)}.*, row_number() over (order by ${order}) as ${name} from ${own} ${raw(alias)})`
}

/** The source with the columns of related rows that the plan sorts by; the source itself if there are none. */
function withRelatedColumns(
  source: SqlFragment<Binding>,
  plan: SelectPlan,
  dialect: Dialect,
): SqlFragment<Binding> {
  const terms = relatedTermsOf(plan)
  if (terms.length === 0) return source
  const { table, rights } = plan
  const named = (column: Column, of: string, name: string) =>
    sql`${columnOf(column, of, dialect)} as ${raw(readName(name, dialect))}`
  const stored = [...table.columns.values()].map((column) => storedColumn(table, column, rights))
  const own = new Set([...table.columns.values(), ...stored, ...(table.rowNumber ? [table.rowNumber] : [])])
  const columns = [...own].map((column) => named(column, alias, column.name))
  const aliases = new Map([['', alias]])
  const joins: SqlFragment<Binding>[] = []
  for (const [path, { from, rows }] of joinedStepsOf(terms)) {
    const to = `${alias}${joins.length}`
    aliases.set(path, to)
    joins.push(compileLeftJoin(rows, aliases.get(from) ?? alias, to, dialect))
  }
  for (const { column, via } of terms)
    columns.push(named(via.column, aliases.get(pathOf(via.path)) ?? alias, column.name))
  return sql<Binding>`(select ${join(columns, ', ')} from ${source} ${raw(alias)}${join(joins, '')})`
}

/** The terms of the order that are columns of related rows, each once. */
function relatedTermsOf({ numberedBy, orderBy }: Pick<SelectPlan, 'numberedBy' | 'orderBy'>) {
  return (numberedBy ?? orderBy).flatMap((term) =>
    term.via === undefined ? [] : [{ ...term, via: term.via }],
  )
}

/**
 * Whether the rows and fields that the caller may not read are left out in a select that stands for the table. Otherwise
 * the rows are left out by a condition, as by a filter of the request.
 */
function isNarrowedSource(plan: SelectPlan): boolean {
  const { rights, numberedBy } = plan
  if (rights === undefined) return false
  return rights.masks.size > 0 || numberedBy !== undefined || relatedTermsOf(plan).length > 0
}

/** Whether all rows of a table match, and may be read. */
export function isWholeTable({ table, filter, rights }: SelectPlan): boolean {
  const isUnfiltered = filter === undefined || (filter.kind === 'and' && filter.filters.length === 0)
  return table.kind === 'table' && isUnfiltered && rights === undefined
}

/** Empty if there is no condition. */
export function whereClause(where: SqlFragment<Binding> | undefined): SqlFragment<Binding> {
  return where === undefined ? raw('') : sql<Binding>` where ${where}`
}

/** Empty if there are no terms. */
export function orderClause(terms: readonly SqlFragment<never>[]): SqlFragment<never> {
  return terms.length === 0 ? raw('') : sql` order by ${join(terms, ', ')}`
}

/** A number of rows from the request. */
export function rowCountParameter(source: ValueSource): SqlFragment<Binding> {
  return isWrittenCount(source)
    ? raw(String(rowCount(source, {})))
    : parameter<Binding>({ kind: 'count', source })
}

/** `heldRows` limits the number of fetched rows of a page with `first`, `last` or `limit`, plus one. */
export function fetchLimit(
  page: Page,
  andOneMore: boolean,
  heldRows: number | undefined,
): SqlFragment<Binding> | undefined {
  const atMost = heldRows === undefined ? Number.MAX_SAFE_INTEGER : heldRows + 1
  const sized = page.first ?? page.last
  if (sized === undefined && page.limit === undefined) return undefined
  if (sized === undefined && heldRows === undefined) return page.limit && rowCountParameter(page.limit)
  const isWritten = [sized, page.limit].every((source) => source === undefined || isWrittenCount(source))
  return isWritten
    ? raw(String(Math.min(atMost, fetchCount({ page, andOneMore }, {}))))
    : parameter<Binding>({ kind: 'fetchCount', page, andOneMore, atMost })
}
