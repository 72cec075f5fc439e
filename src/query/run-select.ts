import type { Connection, SelectOptions, SelectStatement, StreamingConnection } from '../database/driver.ts'
import { noRows, type RowSet } from '../database/row-set.ts'
import type { Row } from '../database/sql-value.ts'
import {
  type BindingContext,
  bind,
  bindByKey,
  fetchCount,
  heldBytes,
  heldRows,
  pieceBytes,
  rowCount,
} from './binding.ts'
import type { CompiledAggregates } from './compile-aggregates.ts'
import type { CompiledSelect, KeyTemplate } from './compile-select.ts'
import { mostHeldBytes } from './levels/held-rows.ts'
import type { StatementTemplate } from './statement-template.ts'

/** One page of one list, with its rows as arrays of values. */
export interface RowPage extends PageEnds {
  readonly rows: readonly Row[]
}

/** One page of one list: some of the rows of a statement. */
export interface SelectedPage extends PageEnds {
  readonly rows: RowSet
  /** The page's first row among `rows`. */
  readonly start: number
  /** The step from one row of the page to the next. */
  readonly step: 1 | -1
  readonly count: number
}

interface PageEnds {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly total: number
  /** For each aggregate of the plan its rows, of all groups of the list; of all rows together none if there is no row. */
  readonly aggregates: readonly AggregateRows[]
}

/** The rows of a statement, or none and the error why. */
interface RowsOrFailure {
  readonly rows: RowSet
  readonly failure?: unknown
}

/** Some of the rows of a statement. */
export interface AggregateRows extends RowsOrFailure {
  readonly start: number
  readonly count: number
}

/** What a request knows of its statements. */
export interface SelectContext extends BindingContext {
  /**
   * Whether a relation may be without its level for an error, or a list without an aggregate, and everything else is
   * loaded; it may throw instead. If absent, any error ends the loading.
   */
  readonly mayFail?: (error: unknown) => boolean
}

/** A list with nothing in it. */
export const emptyPage: SelectedPage = {
  rows: noRows,
  start: 0,
  step: 1,
  count: 0,
  hasNextPage: false,
  hasPreviousPage: false,
  total: 0,
  aggregates: [],
}

/** What is known of a list whose rows are not read yet, because it is too long for memory. */
export interface LongList {
  readonly isLong: true
  /** The page without its rows; whether there are more is known at their end. */
  readonly page: SelectedPage
}

/**
 * Runs the statements of a root list: returns its page, or what is known of it if it has too many rows or bytes for
 * memory.
 */
export async function runRootSelect(
  connection: Connection,
  select: CompiledSelect,
  context: SelectContext,
  options?: SelectOptions,
): Promise<SelectedPage | LongList> {
  const { probe } = select
  if (probe === undefined) {
    const [page] = await selectPages(connection, select, context, options)
    return page ?? emptyPage
  }
  const isShort = fetchCount(select, context.variables) <= heldRows
  const [page = emptyPage] = await (isShort
    ? selectPages(connection, select, context, { ...options, mostBytes: heldBytes })
    : selectPages(connection, { ...select, rows: probe }, context, { mostBytes: heldBytes }))
  const isLong = page.count > heldRows || page.rows.isCut
  return isLong ? { isLong: true, page: { ...page, rows: noRows, count: 0 } } : page
}

/**
 * Whether one statement reads the list, though it may run twice: to find out how long the list is, and to read it in
 * pieces.
 */
export function hasOneStatement({ rows, total, previous, next, aggregates }: CompiledSelect): boolean {
  return [rows, total, previous, next].filter(Boolean).length + aggregates.length === 1
}

/** The rows of a long list, in pieces. */
export async function* streamSelect(
  connection: StreamingConnection,
  { rows, page, isSorted }: CompiledSelect,
  context: BindingContext,
): AsyncIterable<SelectedPage> {
  if (rows === undefined) return
  const statement = { sql: rows.sql, parameters: bind(rows.bindings, context), isSorted }
  let left = page.first === undefined ? Number.POSITIVE_INFINITY : rowCount(page.first, context.variables)
  for await (const piece of connection.stream(statement, { pieceRows: heldRows, pieceBytes })) {
    const count = Math.min(left, piece.length)
    yield { ...emptyPage, rows: piece, count, hasNextPage: piece.length > left }
    left -= count
  }
}

/** Runs the statements of one level, with the rows as arrays of values. */
export async function runSelect(
  connection: Connection,
  select: CompiledSelect,
  context: SelectContext,
): Promise<readonly RowPage[]> {
  const pages = await selectPages(connection, select, context)
  return pages.map(({ rows, start, step, count, ...ends }) => ({
    ...ends,
    rows: Array.from({ length: count }, (_, index) => rows.row(start + index * step)),
  }))
}

/**
 * Runs the statements of one level: one page, or for a keyed select one page per key, in the order of the keys. The
 * column with the key's position is hidden: columns are where the plan has them.
 */
export function selectPages(
  connection: Connection,
  select: CompiledSelect,
  context: SelectContext,
  options?: SelectOptions,
): Promise<readonly SelectedPage[]> {
  return select.rows !== undefined && hasOneStatement(select)
    ? selectRowsAlone(connection, select, context, optionsOf(select, context, options))
    : selectAll(connection, select, context, options)
}

async function selectRowsAlone(
  connection: Connection,
  select: CompiledSelect,
  context: SelectContext,
  options: SelectOptions | undefined,
): Promise<readonly SelectedPage[]> {
  const rows = await selectRows(connection, select, context, options)
  return pagesOf({ rows, totals: noRows, previous: noRows, next: noRows, aggregates: [] }, select, context)
}

async function selectAll(
  connection: Connection,
  select: CompiledSelect,
  context: SelectContext,
  options: SelectOptions | undefined,
): Promise<readonly SelectedPage[]> {
  const run = (template: StatementTemplate | undefined): Promise<RowSet> | RowSet =>
    template === undefined ? noRows : connection.select(statementOf(template, context))
  const [rows, totals, previous, next, aggregates] = await Promise.all([
    selectRows(connection, select, context, optionsOf(select, context, options)),
    run(select.total),
    run(select.previous),
    run(select.next),
    Promise.all(select.aggregates.map((one) => selectAggregates(connection, one, context))),
  ])
  return pagesOf({ rows, totals, previous, next, aggregates }, select, context)
}

async function selectAggregates(
  connection: Connection,
  { statement, isGrouped }: CompiledAggregates,
  context: SelectContext,
): Promise<RowsOrFailure> {
  try {
    const options = isGrouped ? { mostBytes: mostHeldBytes } : undefined
    return { rows: await connection.select(statementOf(statement, context), options) }
  } catch (failure) {
    if (context.mayFail?.(failure) !== true) throw failure
    return { rows: noRows, failure }
  }
}

function selectRows(
  connection: Connection,
  { rows, rowsOfKey, byKey }: CompiledSelect,
  context: BindingContext,
  options: SelectOptions | undefined,
): Promise<RowSet> | RowSet {
  if (rowsOfKey !== undefined && isForFew(rowsOfKey, context))
    return connection.select(statementOfKeys(rowsOfKey, context), options)
  if (rows === undefined) return noRows
  const { sql, bindings } = rows
  return connection.select({ sql, parameters: bind(bindings, context), byKey }, options)
}

/** The results of a level's statements. */
interface SelectedRows {
  readonly rows: RowSet
  readonly totals: RowSet
  readonly previous: RowSet
  readonly next: RowSet
  readonly aggregates: readonly RowsOrFailure[]
}

function pagesOf(
  { rows, totals, previous, next, aggregates }: SelectedRows,
  select: CompiledSelect,
  context: BindingContext,
): readonly SelectedPage[] {
  const sizes = pageSizesOf(select, context)
  if (!select.keyed) {
    const ends = {
      hasNextPage: next.length > 0,
      hasPreviousPage: previous.length > 0,
      total: Number(totals.value(0, 0) ?? 0),
      aggregates: aggregates.map((one) => ({ ...one, start: 0, count: one.rows.length })),
    }
    return [takePage(rows, 0, rows.length, sizes, ends)]
  }
  const keyCount = context.keys?.length ?? 0
  const begins = beginningsOf(rows, keyCount)
  const rowsOfAll = rows.withoutFirst()
  const totalOf = totalsByKey(totals)
  const withPrevious = keysIn(previous)
  const withNext = keysIn(next)
  const groups = aggregates.map(({ rows, failure }) => ({
    found: { rows: rows.withoutFirst(), failure },
    begins: beginningsOf(rows, keyCount),
  }))
  const pages: SelectedPage[] = []
  for (let key = 0; key < keyCount; key += 1) {
    const begin = begins[key] ?? 0
    const ends = {
      hasNextPage: withNext.has(key),
      hasPreviousPage: withPrevious.has(key),
      total: totalOf.get(key) ?? 0,
      aggregates: groups.map(({ found, begins }) => sectionOf(found, begins, key)),
    }
    pages.push(takePage(rowsOfAll, begin, (begins[key + 1] ?? 0) - begin, sizes, ends))
  }
  return pages
}

function statementOf(
  { sql, bindings, ofOneKey }: StatementTemplate,
  context: BindingContext,
): SelectStatement {
  if (ofOneKey !== undefined && context.keys?.length === 1)
    return { sql: ofOneKey.sql, parameters: bindByKey(ofOneKey.bindings, context, 1) }
  return { sql, parameters: bind(bindings, context) }
}

/** Up to this many rows their bytes are not checked, which costs a little for each. */
const fewRows = 25

function optionsOf(
  select: CompiledSelect,
  { variables, keys }: BindingContext,
  options: SelectOptions | undefined,
): SelectOptions | undefined {
  if (options?.mostBytes === undefined) return options
  const isFew =
    select.byKey || select.ofOneKey || fetchCount(select, variables) * (keys?.length ?? 1) <= fewRows
  return isFew ? undefined : options
}

/** Protocols count the parameters of a statement with 16 bits. */
const mostValues = 60_000

function isForFew({ bindings, mostKeys }: KeyTemplate, { keys = [] }: BindingContext): boolean {
  return keys.length <= mostKeys && selectsFor(keys.length) * bindings.length <= mostValues
}

/** One select per key, and a few without a key, to limit the number of different statements. */
function statementOfKeys(
  { sql, bindings, mostKeys, end, texts }: KeyTemplate,
  context: BindingContext,
): SelectStatement {
  const selects = selectsFor(context.keys?.length ?? 0)
  let text = texts.get(selects)
  if (text === undefined) {
    const each = Array.from({ length: selects }, (_, key) => `select ${key} as k${sql}`)
    text = mostKeys === 1 ? each.join('') : `(${each.join(') union all (')})${end}`
    texts.set(selects, text)
  }
  return { sql: text, parameters: bindByKey(bindings, context, selects) }
}

/** At most a quarter more than there are keys: each select costs, even one without a key. */
function selectsFor(keys: number): number {
  let step = 1
  while (step * 8 < keys) step *= 2
  return Math.max(1, Math.ceil(keys / step) * step)
}

/**
 * For rows sorted by the key's position in their first column: where each key's rows start, and where the last ones
 * end.
 */
function beginningsOf(rows: RowSet, keyCount: number): readonly number[] {
  const begins = [0]
  let known = 0
  for (let row = 0; row < rows.length; row += 1) {
    const key = rows.count(row, 0)
    while (known < key) {
      known += 1
      begins[known] = row
    }
  }
  while (known < keyCount) {
    known += 1
    begins[known] = rows.length
  }
  return begins
}

function sectionOf(found: RowsOrFailure, begins: readonly number[], key: number): AggregateRows {
  const start = begins[key] ?? 0
  return { ...found, start, count: (begins[key + 1] ?? 0) - start }
}

const noTotals: ReadonlyMap<number, number> = new Map()
const noKeys: ReadonlySet<number> = new Set()

function totalsByKey(rows: RowSet): ReadonlyMap<number, number> {
  if (rows.length === 0) return noTotals
  const totals = new Map<number, number>()
  for (let row = 0; row < rows.length; row += 1) totals.set(rows.count(row, 0), Number(rows.value(row, 1)))
  return totals
}

function keysIn(rows: RowSet): ReadonlySet<number> {
  if (rows.length === 0) return noKeys
  const keys = new Set<number>()
  for (let row = 0; row < rows.length; row += 1) keys.add(rows.count(row, 0))
  return keys
}

/** The values of `first` and `last` in one request. */
interface PageSizes {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly reversed: boolean
}

function pageSizesOf({ page, reversed }: CompiledSelect, { variables }: BindingContext): PageSizes {
  return {
    first: page.first && rowCount(page.first, variables),
    last: page.last && rowCount(page.last, variables),
    reversed,
  }
}

/** Applies `first` and `last` to the rows; an extra row only shows that there are more. */
function takePage(
  rows: RowSet,
  begin: number,
  fetched: number,
  { first, last, reversed }: PageSizes,
  { hasNextPage, hasPreviousPage, total, aggregates }: PageEnds,
): SelectedPage {
  const step = reversed ? -1 : 1
  let start = reversed ? begin + fetched - 1 : begin
  let count = fetched
  const page = { rows, step, total, aggregates } as const
  const hasMore = first !== undefined && count > first
  if (hasMore) count = first
  const beganBefore = last !== undefined && count > last
  if (beganBefore) {
    start += (count - last) * step
    count = last
  }
  return {
    ...page,
    start,
    count,
    hasNextPage: hasNextPage || hasMore,
    hasPreviousPage: hasPreviousPage || beganBefore,
  }
}
