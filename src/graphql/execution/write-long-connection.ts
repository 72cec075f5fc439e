/** Writes a list that is too long to be held with all that belongs to its rows: they are read, followed and written piece by piece. */
import { timeoutBehind } from '../../database/answer-timeout.ts'
import type { Connection } from '../../database/driver.ts'
import { ListedRows } from '../../database/row-set.ts'
import { AppError } from '../../errors/app-error.ts'
import type { BindingContext } from '../../query/binding.ts'
import { emptyPage, type LongList, type SelectedPage, streamSelect } from '../../query/run-select.ts'
import type { CompiledLevel, SeenAnswer } from '../planning/compile-operation.ts'
import type { ResponseOutput } from '../response/response-output.ts'
import { type ConnectionWriter, type EdgeWriter, writeRows } from '../response/write-response.ts'
import { hasMoreRows } from './count-rows.ts'
import { HeldRows, type LoadedLevel, type LoadedPage, loadRelations, TooManyHeldRows } from './load-level.ts'
import { answerTooLarge } from './response-limits.ts'

/** A long list with what is needed to read and write it. */
export interface LongConnection {
  readonly connection: Connection
  readonly level: CompiledLevel
  readonly writer: ConnectionWriter
  readonly context: BindingContext
  /** How many rows below are held at once. */
  readonly mostHeldRows: number
  /** Told where it is too much to be held. */
  readonly seen: SeenAnswer
  readonly to: ResponseOutput
}

/** Writes a list whose rows are still to be read. */
export async function writeLongConnection(long: LongConnection, list: LongList): Promise<void> {
  const { writer, seen, to } = long
  seen.isLong = true
  const page = { ...list.page, firstRow: 0 }
  const known = writer.needsEndsFirst ? (await findEnds(long)).in(page) : page
  await writer.writeAsTheyCome(to, known, async (edge) => (await writeStreamed(edge, long)).in(page))
}

/** Writes a list whose own rows are there. */
export async function writeInSlices(long: LongConnection, selected: SelectedPage): Promise<void> {
  const { writer, to } = long
  const page = { ...selected, firstRow: 0 }
  await writer.writeAsTheyCome(to, page, async (edge) => {
    to.bytes.write('[')
    const written = await new Slices(edge, long).write(selected)
    to.bytes.write(']')
    return written === page.count ? page : { ...page, count: written, hasNextPage: true }
  })
}

/** Reads all rows, and keeps none of them. */
async function findEnds({ connection, level, context }: LongConnection): Promise<EndsSoFar> {
  const ends = new EndsSoFar()
  for await (const piece of streamSelect(connection, level.select, context, true)) ends.add(piece)
  return ends
}

async function writeStreamed(edge: EdgeWriter, long: LongConnection): Promise<EndsSoFar> {
  const { connection, level, context, to } = long
  const ends = new EndsSoFar()
  const slices = new Slices(edge, long)
  to.bytes.write('[')
  try {
    for await (const piece of streamSelect(connection, level.select, context, level.relations.length === 0)) {
      const written = await slices.write(piece)
      ends.add({ ...piece, count: written, hasNextPage: piece.hasNextPage || written < piece.count })
      if (to.cut !== undefined) break
      await to.pause()
    }
  } catch (error) {
    cutBy(error, to)
    ends.goesOn()
  }
  to.bytes.write(']')
  return ends
}

/** Between two rows the end of the time ends the list; any other error ends the answer. */
function cutBy(given: unknown, to: ResponseOutput): void {
  const error = timeoutBehind(given, to.time)
  if (!(error instanceof AppError) || error.code !== 'ANSWER_TIMEOUT') throw error
  to.cut = error
}

/** Writes rows with all below them, as many together as can be held. */
class Slices {
  readonly #edge: EdgeWriter
  readonly #long: LongConnection
  #isFirst = true
  #most = Number.POSITIVE_INFINITY

  constructor(edge: EdgeWriter, long: LongConnection) {
    this.#edge = edge
    this.#long = long
  }

  /** Gives how many rows were written: fewer than there are where a limit is reached. */
  async write(page: SelectedPage): Promise<number> {
    const { to } = this.#long
    let from = 0
    while (from < page.count) {
      const count = Math.min(this.#most, page.count - from)
      const slice = { ...page, start: page.start + from * page.step, count, firstRow: 0 }
      const loaded = await this.#load(slice)
      if (loaded === undefined) {
        this.#long.seen.isLong = true
        if (count > 1) {
          this.#most = Math.ceil(count / 2)
          continue
        }
        to.cut = answerTooLarge('heldRows', this.#long.mostHeldRows)
        return from
      }
      this.#most *= 2
      if (this.#isFirst && hasMoreRows(loaded, to.rowsLeft)) {
        to.cut = answerTooLarge('rows', to.mostRows)
        return from
      }
      const written = await writeRows(0, to, slice, loaded, this.#edge, this.#isFirst)
      this.#isFirst &&= written === 0
      from += written
      if (written < count) return from
    }
    return from
  }

  /** Undefined where it is too much to be held. */
  async #load(page: LoadedPage): Promise<LoadedLevel | undefined> {
    const { connection, level, context, mostHeldRows } = this.#long
    const held = new HeldRows(mostHeldRows)
    try {
      return {
        pages: [page],
        timesShown: level.timesShown,
        relations: await loadRelations(connection, level.relations, [page], { ...context, held }),
      }
    } catch (error) {
      if (error instanceof TooManyHeldRows) return undefined
      throw error
    }
  }
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

  /** There are further rows. */
  goesOn(): void {
    this.#hasNextPage = true
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
