/**
 * Reads a list: whole, if it fits in memory with the related records that it shows; otherwise first what is sent before
 * its records, then the records, piece by piece.
 */
import type { Dialect } from '../database/dialect.ts'
import type { Connection, StreamingConnection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { BindingContext } from '../query/binding.ts'
import { type CompiledSelect, compileSelect } from '../query/compile-select.ts'
import type { CompiledRelation } from '../query/levels/compile-level.ts'
import { countRows, hasMoreRows } from '../query/levels/count-rows.ts'
import { mostHeldBytes } from '../query/levels/held-rows.ts'
import { emptyLevel, type LoadedLevel } from '../query/levels/loaded-level.ts'
import { SliceLoader } from '../query/levels/slice-loader.ts'
import { type RowPage, runRootSelect, type SelectedPage, streamSelect } from '../query/run-select.ts'
import { type ListLimits, tooManyHeldRows, tooManyRows, tooManyShown } from './list-limits.ts'
import type { ListRequest } from './read-list-request.ts'

/** A request for a list with its statements. */
export interface CompiledList {
  readonly request: ListRequest
  readonly select: CompiledSelect
  readonly relations: readonly CompiledRelation[]
  readonly context: BindingContext
  readonly dialect: Dialect
  readonly limits: ListLimits
}

/** Some records of a list, with the related ones. */
export interface ListPiece {
  readonly page: SelectedPage
  readonly level: LoadedLevel
}

/** All records of a list; `ends` is its page with the sort values of its first and last row. */
export interface WholeList extends ListPiece {
  readonly ends: RowPage
}

/** Undefined if the list has too many rows or bytes for memory. Throws ANSWER_TOO_LARGE. */
export async function readWhole(list: CompiledList, connection: Connection): Promise<WholeList | undefined> {
  const page = await readPage(list, connection)
  if (page === undefined) return undefined
  const pieces = withRelated(list, connection, [page])
  const { value: first } = await pieces.next()
  if (first === undefined) return { ends: endsOf(page, list), page, level: emptyLevel }
  return first.page.count < page.count ? undefined : { ends: endsOf(page, list), ...first }
}

/** Calls `begin` with what is known of the list before its records. Throws ANSWER_TOO_LARGE. */
export async function* readInPieces(
  list: CompiledList,
  connection: StreamingConnection,
  begin: (ends: RowPage) => void,
): AsyncGenerator<ListPiece, void, void> {
  const page = await readPage(list, connection)
  if (page !== undefined) {
    begin(endsOf(page, list))
    yield* withRelated(list, connection, [page])
    return
  }
  const ends = await findEnds(list, connection)
  if (ends.count > list.limits.rows) throw tooManyRows(list.limits.rows)
  begin(ends.page)
  yield* withRelated(list, connection, shownPieces(list, connection))
}

/** The list without related records, if it fits in memory. */
async function readPage(
  { request, select, context, limits }: CompiledList,
  connection: Connection,
): Promise<SelectedPage | undefined> {
  const page = await runRootSelect(connection, select, context, { mostBytes: mostHeldBytes })
  if ('isLong' in page) return undefined
  if (page.rows.isCut) throw tooManyHeldBytes()
  const shown = withoutExtraRow(page, request)
  if (shown.count > limits.rows) throw tooManyRows(limits.rows)
  return shown
}

/** Adds the related records to those of some pages, in the same order. */
async function* withRelated(
  { relations, context, limits }: CompiledList,
  connection: Connection,
  pages: Iterable<SelectedPage> | AsyncIterable<SelectedPage>,
): AsyncGenerator<ListPiece, void, void> {
  const level = { timesShown: 1, relations }
  const loader = new SliceLoader({ connection, level, context, mostHeldRows: limits.heldRows })
  let left = limits.rows
  for await (const page of pages) {
    if (relations.length === 0) {
      yield { page, level: emptyLevel }
      continue
    }
    for (let from = 0; from < page.count; ) {
      const slice = await loader.load(page, from)
      if (slice === undefined) throw tooManyHeldRows(limits.heldRows)
      if (hasMoreRows(slice.level, left)) throw tooManyShown(limits.rows)
      left -= countRows(slice.level)
      yield slice
      from += slice.page.count
    }
  }
}

/** Reads the sort values of all rows, and keeps those of the first and the last; counts them. */
async function findEnds(
  list: CompiledList,
  connection: StreamingConnection,
): Promise<{ readonly count: number; readonly page: RowPage }> {
  const { request, dialect, context } = list
  const columns = request.cursorPositions.flatMap((position) => request.plan.columns[position] ?? [])
  const select = compileSelect({ ...request.plan, columns }, dialect)
  const selected = await runRootSelect(connection, select, context)
  const known = 'isLong' in selected ? selected.page : selected
  const rows: RowPage['rows'][number][] = []
  let count = 0
  let { hasNextPage } = known
  for await (const piece of shownPieces({ ...list, select }, connection)) {
    if (count === 0 && piece.count > 0) rows[0] = piece.rows.row(0)
    if (piece.count > 0) rows[1] = piece.rows.row(piece.count - 1)
    count += piece.count
    hasNextPage ||= piece.hasNextPage
  }
  return { count, page: { ...known, rows, hasNextPage } }
}

/** The records of a list, without the extra one that shows that there are more. */
async function* shownPieces(
  { request: { cut }, select, context }: Pick<CompiledList, 'request' | 'select' | 'context'>,
  connection: StreamingConnection,
): AsyncIterable<SelectedPage> {
  let left = cut?.limit ?? Number.POSITIVE_INFINITY
  for await (const piece of streamSelect(connection, select, context)) {
    const count = Math.min(left, piece.count)
    yield count === piece.count ? piece : { ...piece, count, hasNextPage: true }
    left -= count
  }
}

function withoutExtraRow(page: SelectedPage, { cut }: ListRequest): SelectedPage {
  if (cut === undefined || page.count <= cut.limit) return page
  return { ...page, count: cut.limit, hasNextPage: true }
}

function endsOf(page: SelectedPage, { request: { cursorPositions } }: CompiledList): RowPage {
  const { rows, start, step, count } = page
  const ends = count === 0 ? [] : [start, start + (count - 1) * step]
  return { ...page, rows: ends.map((row) => cursorPositions.map((position) => rows.value(row, position))) }
}

function tooManyHeldBytes(): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The last records of a list are read together, and these have more than ${mostHeldBytes / 2 ** 20} MB. Ask for fewer, with "last".`,
  })
}
