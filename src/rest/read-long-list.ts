/** Reads a list that is too long to be held: first what is told before its records, then these, piece by piece. */
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { BindingContext } from '../query/binding.ts'
import { type CompiledSelect, compileSelect } from '../query/compile-select.ts'
import { type RowPage, runRootSelect, type SelectedPage, streamSelect } from '../query/run-select.ts'
import type { ListRequest } from './read-list-request.ts'

/** A long list, and what it is read with. */
export interface LongListParts {
  readonly connection: Connection
  readonly dialect: Dialect
  readonly request: ListRequest
  readonly compiled: CompiledSelect
  readonly context: BindingContext
}

/** What is known of a list before its records are read. */
export interface ListEnds {
  /** How many records it has. */
  readonly count: number
  /** The page with its first and last row, of which there is only what it is sorted by. */
  readonly page: RowPage
}

/** Reads what a list is sorted by, of all rows, and keeps that of the ends. */
export async function findEnds(parts: LongListParts): Promise<ListEnds> {
  const { connection, dialect, request, context } = parts
  const columns = request.cursorPositions.flatMap((position) => request.plan.columns[position] ?? [])
  const compiled = compileSelect({ ...request.plan, columns }, dialect)
  const selected = await runRootSelect(connection, compiled, context)
  const known = 'isLong' in selected ? selected.page : selected
  const rows: RowPage['rows'][number][] = []
  let count = 0
  let { hasNextPage } = known
  for await (const piece of shownPieces({ ...parts, compiled })) {
    if (count === 0 && piece.count > 0) rows[0] = piece.rows.row(0)
    if (piece.count > 0) rows[1] = piece.rows.row(piece.count - 1)
    count += piece.count
    hasNextPage ||= piece.hasNextPage
  }
  return { count, page: { ...known, rows, hasNextPage } }
}

/** The records of a list, without those that only tell that there are further ones. */
export async function* shownPieces({
  connection,
  request: { cut },
  compiled,
  context,
}: LongListParts): AsyncIterable<SelectedPage> {
  let left = cut?.limit ?? Number.POSITIVE_INFINITY
  for await (const piece of streamSelect(connection, compiled, context, true)) {
    const count = Math.min(left, piece.count)
    yield count === piece.count ? piece : { ...piece, count, hasNextPage: true }
    left -= count
  }
}
