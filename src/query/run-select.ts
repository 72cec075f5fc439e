import type { Connection, Row, SqlValue } from '../database/driver.ts'
import { type BindingContext, bind, fetchCount, heldRows, rowCount } from './binding.ts'
import type { CompiledSelect, StatementTemplate } from './compile-select.ts'
import type { Variables } from './value-source.ts'

/** One page of one list. */
export interface RowPage {
  readonly rows: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly total: number
}

/** What is known of a list whose rows are still to be read, because it is too long to be held. */
export interface LongList {
  readonly isLong: true
  /** The page without its rows; whether there are further ones is known at their end. */
  readonly page: RowPage
}

/** Runs the statements of a root list: its page, or what is known of it when it has more rows than are held. */
export async function runRootSelect(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
): Promise<RowPage | LongList> {
  const { probe } = select
  if (probe === undefined || fetchCount(select.page, context.variables) <= heldRows) {
    const [page] = await runSelect(connection, select, context)
    return page ?? emptyPage
  }
  const [page = emptyPage] = await runSelect(connection, { ...select, rows: probe }, context)
  return page.rows.length > heldRows ? { isLong: true, page: { ...page, rows: [] } } : page
}

const emptyPage: RowPage = { rows: [], hasNextPage: false, hasPreviousPage: false, total: 0 }

/** The rows of a long list, in pieces. `alone` promises that no other statement runs before the last one. */
export async function* streamSelect(
  connection: Connection,
  { rows, page }: CompiledSelect,
  context: BindingContext,
  alone: boolean,
): AsyncIterable<{ readonly rows: readonly Row[]; readonly hasNextPage: boolean }> {
  if (rows === undefined) return
  const statement = { sql: rows.sql, parameters: bind(rows.bindings, context) }
  let left = page.first === undefined ? Number.POSITIVE_INFINITY : rowCount(page.first, context.variables)
  for await (const piece of connection.stream(statement, { pieceRows: heldRows, alone })) {
    const hasNextPage = piece.length > left
    yield { rows: hasNextPage ? piece.slice(0, left) : piece, hasNextPage }
    left -= Math.min(left, piece.length)
  }
}

/**
 * Runs the statements of one level: one page, or for a keyed select one page per key, in the order of
 * the keys. In a keyed select's rows the key's position is cut off: columns are where the plan put them.
 */
export async function runSelect(
  connection: Connection,
  select: CompiledSelect,
  context: BindingContext,
): Promise<readonly RowPage[]> {
  const run = async (template: StatementTemplate | undefined): Promise<readonly Row[]> =>
    template === undefined
      ? []
      : connection.query({ sql: template.sql, parameters: bind(template.bindings, context) })
  const [rows, totals, previous, next] = await Promise.all([
    run(select.rows),
    run(select.total),
    run(select.previous),
    run(select.next),
  ])
  if (!select.keyed) {
    const page = takePage(rows, select, context.variables, previous.length > 0, next.length > 0)
    return [{ ...page, total: Number(totals[0]?.[0] ?? 0) }]
  }
  const rowsByKey = groupByKey(rows)
  const totalByKey = new Map(totals.map(([key, total]) => [key, Number(total)]))
  const withPrevious = new Set(previous.map(([key]) => key))
  const withNext = new Set(next.map(([key]) => key))
  return (context.keys ?? []).map((_, key) => ({
    ...takePage(
      rowsByKey.get(key) ?? [],
      select,
      context.variables,
      withPrevious.has(key),
      withNext.has(key),
    ),
    total: totalByKey.get(key) ?? 0,
  }))
}

function groupByKey(rows: readonly Row[]): ReadonlyMap<SqlValue, readonly Row[]> {
  const groups = new Map<SqlValue, Row[]>()
  for (const [key = null, ...row] of rows) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

/** What `first` and `last` leave of the rows; the row fetched beyond them only says that there is more. */
function takePage(
  fetched: readonly Row[],
  { page, reversed }: CompiledSelect,
  variables: Variables,
  previousExists: boolean,
  nextExists: boolean,
): Omit<RowPage, 'total'> {
  const first = page.first && rowCount(page.first, variables)
  const last = page.last && rowCount(page.last, variables)
  let rows = reversed ? fetched.toReversed() : fetched
  let hasNextPage = nextExists
  let hasPreviousPage = previousExists
  if (first !== undefined && rows.length > first) {
    rows = rows.slice(0, first)
    hasNextPage = true
  }
  if (last !== undefined && rows.length > last) {
    rows = rows.slice(rows.length - last)
    hasPreviousPage = true
  }
  return { rows, hasNextPage, hasPreviousPage }
}
