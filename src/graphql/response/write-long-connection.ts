/** Writes a list that is too long to be held: its rows are read, followed and written piece by piece. */
import type { Connection } from '../../database/driver.ts'
import { ListedRows } from '../../database/row-set.ts'
import type { BindingContext } from '../../query/binding.ts'
import { emptyPage, type LongList, type SelectedPage, streamSelect } from '../../query/run-select.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { CompiledLevel } from '../operation/compile-operation.ts'
import { type LoadedPage, loadRelations } from './load-level.ts'
import type { ConnectionWriter, EdgeWriter } from './write-response.ts'

/** A long list with what is needed to read and write it. */
export interface LongConnection {
  readonly connection: Connection
  readonly level: CompiledLevel
  readonly list: LongList
  readonly writer: ConnectionWriter
  readonly context: BindingContext
  readonly out: ByteWriter
  /** Called between pieces: a place where what was written may be passed on. */
  readonly pause: () => Promise<void>
}

export async function writeLongConnection(long: LongConnection): Promise<void> {
  const { writer, list, out } = long
  const page = { ...list.page, firstRow: 0 }
  const known = writer.needsEndsFirst ? (await findEnds(long)).in(page) : page
  await writer.writeAsTheyCome(out, known, async (edge) => (await writeEdges(edge, long)).in(page))
}

/** Reads all rows, and keeps none of them. */
async function findEnds({ connection, level, context }: LongConnection): Promise<EndsSoFar> {
  const ends = new EndsSoFar()
  for await (const piece of streamSelect(connection, level.select, context, true)) ends.add(piece)
  return ends
}

async function writeEdges(
  edge: EdgeWriter,
  { connection, level, context, out, pause }: LongConnection,
): Promise<EndsSoFar> {
  const ends = new EndsSoFar()
  const alone = level.relations.length === 0
  let isFirst = true
  out.write('[')
  for await (const piece of streamSelect(connection, level.select, context, alone)) {
    ends.add(piece)
    const page = { ...piece, firstRow: 0 }
    const loaded = {
      pages: [page],
      relations: await loadRelations(connection, level.relations, [page], context),
    }
    for (let row = 0; row < piece.count; row += 1) {
      if (!isFirst) out.write(',')
      isFirst = false
      edge.write(out, piece.rows, row, row, loaded)
    }
    await pause()
  }
  out.write(']')
  return ends
}

/** The first and the last row stand for all: page information is about nothing else. */
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

  /** A page with these ends. */
  in(page: LoadedPage): LoadedPage {
    const ends = this.#first === undefined || this.#last === undefined ? [] : [this.#first, this.#last]
    return {
      ...emptyPage,
      ...page,
      rows: new ListedRows(ends),
      start: 0,
      step: 1,
      count: ends.length,
      hasNextPage: this.#hasNextPage,
    }
  }
}
