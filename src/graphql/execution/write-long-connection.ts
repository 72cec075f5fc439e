/** Writes a list that is too long for memory, with everything nested in its rows: piece by piece. */

import type { StreamingConnection } from '../../database/driver.ts'
import { timeoutBehind } from '../../database/response-timeout.ts'
import { ListedRows } from '../../database/row-set.ts'
import { AppError } from '../../errors/app-error.ts'
import type { CompiledLevel } from '../../query/levels/compile-level.ts'
import { hasMoreRows } from '../../query/levels/count-rows.ts'
import type { LoadedPage } from '../../query/levels/loaded-level.ts'
import { SliceLoader } from '../../query/levels/slice-loader.ts'
import {
  emptyPage,
  type LongList,
  type SelectContext,
  type SelectedPage,
  streamSelect,
} from '../../query/run-select.ts'
import type { SeenResponse } from '../planning/compile-operation.ts'
import type { ResponseOutput } from '../response/response-output.ts'
import { type ConnectionWriter, type EdgeWriter, writeRows } from '../response/write-response.ts'
import { responseTooLarge } from './response-limits.ts'

/** A long list, with what is needed to read and write it. */
export interface LongConnection {
  readonly connection: StreamingConnection
  readonly level: CompiledLevel
  readonly writer: ConnectionWriter
  readonly context: SelectContext
  /** How many rows of the levels below may be in memory at once. */
  readonly mostHeldRows: number
  /** Remembers that the response is too long to be buffered. */
  readonly seen: SeenResponse
  readonly to: ResponseOutput
}

/** Writes a list whose rows are not read yet. */
export async function writeLongConnection(long: LongConnection, list: LongList): Promise<void> {
  const { writer, seen, to } = long
  seen.isLong = true
  const page = { ...list.page, firstRow: 0 }
  const known = writer.needsEndsFirst ? (await findEnds(long)).in(page) : page
  await writer.writeAsTheyCome(to, known, async (edge) => (await writeStreamed(edge, long)).in(page))
}

/** Writes a list whose own rows are loaded. */
export async function writeInSlices(long: LongConnection, selected: SelectedPage): Promise<void> {
  const { writer, to } = long
  const page = { ...selected, firstRow: 0 }
  await writer.writeAsTheyCome(to, page, async (edge) => {
    to.startList(edge.depth)
    const written = await new Slices(edge, long).write(selected)
    to.bytes.write(']')
    return written === page.count ? page : { ...page, count: written, hasNextPage: true }
  })
}

/** Reads all rows without keeping them. */
async function findEnds({ connection, level, context }: LongConnection): Promise<EndsSoFar> {
  const ends = new EndsSoFar()
  for await (const piece of streamSelect(connection, level.select, context)) ends.add(piece)
  return ends
}

async function writeStreamed(edge: EdgeWriter, long: LongConnection): Promise<EndsSoFar> {
  const { connection, level, context, to } = long
  const ends = new EndsSoFar()
  const slices = new Slices(edge, long)
  to.startList(edge.depth)
  try {
    for await (const piece of streamSelect(connection, level.select, context)) {
      const written = await slices.write(piece)
      ends.add({ ...piece, count: written, hasNextPage: piece.hasNextPage || written < piece.count })
      if (to.truncatedBy !== undefined) break
      await to.pause()
    }
  } catch (error) {
    truncate(error, to)
    ends.setHasNextPage()
  }
  to.bytes.write(']')
  return ends
}

/** If the time limit expires between two rows, the list ends; any other error ends the response. */
function truncate(given: unknown, to: ResponseOutput): void {
  const error = timeoutBehind(given, to.time)
  if (!(error instanceof AppError) || error.code !== 'ANSWER_TIMEOUT') throw error
  to.truncatedBy = error
}

/** Writes rows with all levels below, as many at a time as fit in memory. */
class Slices {
  readonly #edge: EdgeWriter
  readonly #long: LongConnection
  readonly #loader: SliceLoader
  #isFirst = true

  constructor(edge: EdgeWriter, long: LongConnection) {
    this.#edge = edge
    this.#long = long
    this.#loader = new SliceLoader(long)
  }

  /** Returns how many rows were written: fewer than there are if a limit is reached. */
  async write(page: SelectedPage): Promise<number> {
    const { to, seen, mostHeldRows } = this.#long
    let from = 0
    while (from < page.count) {
      const slice = await this.#loader.load(page, from)
      if (slice === undefined || slice.page.count < page.count - from) seen.isLong = true
      if (slice === undefined) {
        to.truncatedBy = responseTooLarge('heldRows', mostHeldRows)
        return from
      }
      const { count } = slice.page
      if (this.#isFirst && hasMoreRows(slice.level, to.rowsLeft)) {
        to.truncatedBy = responseTooLarge('rows', to.mostRows)
        return from
      }
      const written = await writeRows(0, to, slice.page, slice.level, this.#edge, this.#isFirst)
      this.#isFirst &&= written === 0
      from += written
      if (written < count) return from
    }
    return from
  }
}

/** Keeps only the first and the last row: page information needs no others. */
class EndsSoFar {
  #first: ReturnType<ListedRows['row']> | undefined
  #last: ReturnType<ListedRows['row']> | undefined
  #hasNextPage = false

  add({ rows, count, hasNextPage }: SelectedPage): void {
    if (count > 0) {
      this.#first ??= rows.row(0)
      this.#last = rows.row(count - 1)
    }
    this.#hasNextPage ||= hasNextPage
  }

  /** There are further rows. */
  setHasNextPage(): void {
    this.#hasNextPage = true
  }

  /** A page with these first and last rows. */
  in(page: LoadedPage): LoadedPage {
    const ends = this.#first === undefined || this.#last === undefined ? [] : [this.#first, this.#last]
    return {
      ...emptyPage,
      ...page,
      rows: new ListedRows(ends),
      start: 0,
      step: 1,
      count: ends.length,
      hasNextPage: page.hasNextPage || this.#hasNextPage,
    }
  }
}
