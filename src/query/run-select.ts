import type { Connection, Row, SelectOptions, Statement } from '../database/driver.ts'
import { noRows, type RowSet } from '../database/row-set.ts'
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
import type { CompiledSelect, KeyTemplate, StatementTemplate } from './compile-select.ts'

/** One page of one list, with its rows as lists of values. */
export interface RowPage extends PageEnds {
  readonly rows: readonly Row[]
}

/** One page of one list: a part of the rows of a statement. */
export interface SelectedPage extends PageEnds {
  readonly rows: RowSet
  /** The page's first row among `rows`. */
  readonly start: number
  /** From one row of the page to the next. */
  readonly step: 1 | -1
  readonly count: number
}

interface PageEnds {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly total: number
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
}

/** What is known of a list whose rows are still to be read, because it is too long to be held. */
export interface LongList {
  readonly isLong: true
  /** The page without its rows; whether there are further ones is known at their end. */
  readonly page: SelectedPage
}

/** Runs the statements of a root list: its page, or what is known of it when it has more rows, or more bytes, than are held. */
export async function runRootSelect(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
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

/** Whether a list is read by one statement, though it may be run twice: to find out how long the list is, and in pieces. */
export function hasOneStatement({ rows, total, previous, next }: CompiledSelect): boolean {
  return [rows, total, previous, next].filter(Boolean).length === 1
}

/** The rows of a long list, in pieces. `alone` promises that no other statement runs before the last one. */
export async function* streamSelect(
  connection: Connection,
  { rows, page, isSorted }: CompiledSelect,
  context: BindingContext,
  alone: boolean,
): AsyncIterable<SelectedPage> {
  if (rows === undefined) return
  const statement = { sql: rows.sql, parameters: bind(rows.bindings, context) }
  let left = page.first === undefined ? Number.POSITIVE_INFINITY : rowCount(page.first, context.variables)
  for await (const piece of connection.stream(statement, {
    pieceRows: heldRows,
    pieceBytes,
    alone,
    isSorted,
  })) {
    const count = Math.min(left, piece.length)
    yield { ...emptyPage, rows: piece, count, hasNextPage: piece.length > left }
    left -= count
  }
}

/** Runs the statements of one level, with the rows as lists of values. */
export async function runSelect(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
): Promise<readonly RowPage[]> {
  const pages = await selectPages(connection, select, context)
  return pages.map(({ rows, start, step, count, hasNextPage, hasPreviousPage, total }) => ({
    rows: Array.from({ length: count }, (_, index) => rows.row(start + index * step)),
    hasNextPage,
    hasPreviousPage,
    total,
  }))
}

/**
 * Runs the statements of one level: one page, or for a keyed select one page per key, in the order of
 * the keys. In a keyed select's rows the key's position is cut off: columns are where the plan put them.
 */
export function selectPages(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
  options?: SelectOptions,
): Promise<readonly SelectedPage[]> {
  return select.rows !== undefined && hasOneStatement(select)
    ? selectRowsAlone(connection, select, context, optionsOf(select, context, options))
    : selectAll(connection, select, context, optionsOf(select, context, { mostBytes: options?.mostBytes }))
}

async function selectRowsAlone(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
  options: SelectOptions | undefined,
): Promise<readonly SelectedPage[]> {
  const rows = await selectRows(connection, select, context, options)
  return pagesOf({ rows, totals: noRows, previous: noRows, next: noRows }, select, context)
}

async function selectAll(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
  options: SelectOptions | undefined,
): Promise<readonly SelectedPage[]> {
  const run = (template: StatementTemplate | undefined): Promise<RowSet> | RowSet =>
    template === undefined ? noRows : connection.select(statementOf(template, context))
  const [rows, totals, previous, next] = await Promise.all([
    selectRows(connection, select, context, options),
    run(select.total),
    run(select.previous),
    run(select.next),
  ])
  return pagesOf({ rows, totals, previous, next }, select, context)
}

function selectRows(
  connection: Connection,
  { rows, rowsOfKey }: CompiledSelect,
  context: BindingContext,
  options: SelectOptions | undefined,
): Promise<RowSet> | RowSet {
  if (rowsOfKey !== undefined && isForFew(rowsOfKey, context))
    return connection.select(statementOfKeys(rowsOfKey, context), options)
  return rows === undefined ? noRows : connection.select(statementOf(rows, context), options)
}

/** What the statements of a level answered with. */
interface SelectedRows {
  readonly rows: RowSet
  readonly totals: RowSet
  readonly previous: RowSet
  readonly next: RowSet
}

function pagesOf(
  { rows, totals, previous, next }: SelectedRows,
  select: CompiledSelect,
  context: BindingContext,
): readonly SelectedPage[] {
  const cut = cutOf(select, context)
  if (!select.keyed) {
    const ends = {
      hasNextPage: next.length > 0,
      hasPreviousPage: previous.length > 0,
      total: Number(totals.value(0, 0) ?? 0),
    }
    return [takePage(rows, 0, rows.length, cut, ends)]
  }
  const keyCount = context.keys?.length ?? 0
  const begins = beginningsOf(rows, keyCount)
  const rowsOfAll = rows.withoutFirst()
  const totalOf = totalsByKey(totals)
  const withPrevious = keysIn(previous)
  const withNext = keysIn(next)
  return Array.from({ length: keyCount }, (_, key) => {
    const begin = begins[key] ?? 0
    const ends = {
      hasNextPage: withNext.has(key),
      hasPreviousPage: withPrevious.has(key),
      total: totalOf.get(key) ?? 0,
    }
    return takePage(rowsOfAll, begin, (begins[key + 1] ?? 0) - begin, cut, ends)
  })
}

function statementOf({ sql, bindings }: StatementTemplate, context: BindingContext): Statement {
  return { sql, parameters: bind(bindings, context) }
}

/** So few rows are read without a look at their bytes, which costs a little for each. */
const fewRows = 25

function optionsOf(
  select: CompiledSelect,
  { variables, keys }: BindingContext,
  options: SelectOptions | undefined,
): SelectOptions | undefined {
  if (select.byKey) return { ...options, byKey: true, mostBytes: undefined }
  if (options?.mostBytes === undefined) return options
  const isFew = select.ofOneKey || fetchCount(select, variables) * (keys?.length ?? 1) <= fewRows
  return isFew ? { ...options, mostBytes: undefined } : options
}

/** For so many keys a statement may be made of one part for each. */
const fewKeys = 64
/** Databases count the values of a statement with 16 bits. */
const mostValues = 60_000

function isForFew({ bindings }: KeyTemplate, { keys = [] }: BindingContext): boolean {
  return keys.length <= fewKeys && partsFor(keys.length) * bindings.length <= mostValues
}

/** One part for each key, and a few for none, so that there are only so many texts. */
function statementOfKeys({ sql, bindings, end, texts }: KeyTemplate, context: BindingContext): Statement {
  const parts = partsFor(context.keys?.length ?? 0)
  let text = texts.get(parts)
  if (text === undefined) {
    text = Array.from({ length: parts }, (_, key) => `(select ${key} as k${sql})`).join(' union all ') + end
    texts.set(parts, text)
  }
  return { sql: text, parameters: bindByKey(bindings, context, parts) }
}

/** At most a quarter more than there are keys: each part costs, also one for none. */
function partsFor(keys: number): number {
  let step = 1
  while (step * 8 < keys) step *= 2
  return Math.max(1, Math.ceil(keys / step) * step)
}

/** For rows sorted by the key's position in their first column: where each key's rows begin, and where the last ones end. */
function beginningsOf(rows: RowSet, keyCount: number): Int32Array {
  const begins = new Int32Array(keyCount + 1)
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

function totalsByKey(rows: RowSet): ReadonlyMap<number, number> {
  const totals = new Map<number, number>()
  for (let row = 0; row < rows.length; row += 1) totals.set(rows.count(row, 0), Number(rows.value(row, 1)))
  return totals
}

function keysIn(rows: RowSet): ReadonlySet<number> {
  const keys = new Set<number>()
  for (let row = 0; row < rows.length; row += 1) keys.add(rows.count(row, 0))
  return keys
}

/** What `first` and `last` of a page are in one request. */
interface Cut {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly reversed: boolean
}

function cutOf({ page, reversed }: CompiledSelect, { variables }: BindingContext): Cut {
  return {
    first: page.first && rowCount(page.first, variables),
    last: page.last && rowCount(page.last, variables),
    reversed,
  }
}

/** What `first` and `last` leave of the rows; the row fetched beyond them only says that there is more. */
function takePage(
  rows: RowSet,
  begin: number,
  fetched: number,
  { first, last, reversed }: Cut,
  { hasNextPage, hasPreviousPage, total }: PageEnds,
): SelectedPage {
  const step = reversed ? -1 : 1
  let start = reversed ? begin + fetched - 1 : begin
  let count = fetched
  const page = { rows, step, total } as const
  const goesOn = first !== undefined && count > first
  if (goesOn) count = first
  const beganBefore = last !== undefined && count > last
  if (beganBefore) {
    start += (count - last) * step
    count = last
  }
  return {
    ...page,
    start,
    count,
    hasNextPage: hasNextPage || goesOn,
    hasPreviousPage: hasPreviousPage || beganBefore,
  }
}
