/** Reads a list that is too long for memory: first what is sent before its records, then the records, piece by piece. */
import type { Dialect } from '../database/dialect.ts'
import type { StreamingConnection } from '../database/driver.ts'
import type { BindingContext } from '../query/binding.ts'
import { type CompiledSelect, compileSelect } from '../query/compile-select.ts'
import { type RowPage, runRootSelect, type SelectedPage, streamSelect } from '../query/run-select.ts'
import type { ListRequest } from './read-list-request.ts'

/** A long list, and the parts to read it. */
export interface LongListParts {
  readonly connection: StreamingConnection
  readonly dialect: Dialect
  readonly request: ListRequest
  readonly compiled: CompiledSelect
  readonly context: BindingContext
}

/** What is known of a list before its records are read. */
export interface ListEnds {
  /** Its number of records. */
  readonly count: number
  /** The page with the sort values of its first and last row. */
  readonly page: RowPage
}

/** Reads the sort values of all rows, and keeps those of the first and the last. */
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

/** The records of a list, without the extra one that shows that there are more. */
export async function* shownPieces({
  connection,
  request: { cut },
  compiled,
  context,
}: LongListParts): AsyncIterable<SelectedPage> {
  let left = cut?.limit ?? Number.POSITIVE_INFINITY
  for await (const piece of streamSelect(connection, compiled, context)) {
    const count = Math.min(left, piece.count)
    yield count === piece.count ? piece : { ...piece, count, hasNextPage: true }
    left -= count
  }
}
