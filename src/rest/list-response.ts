/** The JSON text of records, as it is made. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { responseTimeout } from '../database/response-timeout.ts'
import { AppError } from '../errors/app-error.ts'
import { emptyLevel, type LoadedLevel } from '../query/levels/loaded-level.ts'
import type { SelectedPage } from '../query/run-select.ts'
import { pieceLength, wholeLength } from '../util/answer-pieces.ts'
import type { Emit } from '../util/pieces-of.ts'
import type { TimeLimit } from '../util/time-limit.ts'
import { TimeSlices } from '../util/time-slices.ts'
import type { WriteRecord } from './fields/shown-records.ts'

export interface ListResponseOptions {
  readonly writeRecord: WriteRecord
  /** Whether it is a list; otherwise it is its only record. */
  readonly isList: boolean
  /** How many bytes the response may have. */
  readonly mostBytes: number
  readonly time: TimeLimit
  readonly emit: Emit<string>
}

/** The output of a list: emits full pieces, at the speed of its reader. */
export class ListResponse {
  readonly #options: ListResponseOptions
  readonly #slices = new TimeSlices()
  #text: string
  #isFirst = true
  #passedOn = 0
  /** In UTF-16 units. */
  #pieceLength = wholeLength

  constructor(options: ListResponseOptions) {
    this.#options = options
    this.#text = options.isList ? '[' : ''
  }

  /**
   * Writes the rows of a page, whose numbers in `level` begin at 0. Throws ANSWER_TOO_LARGE and ANSWER_TIMEOUT if a limit
   * is reached.
   */
  async write({ rows, start, step, count }: SelectedPage, level: LoadedLevel = emptyLevel): Promise<void> {
    const { writeRecord } = this.#options
    for (let index = 0; index < count; index += 1) {
      if (!this.#isFirst) this.#text += ','
      this.#isFirst = false
      const record = writeRecord(rows, start + index * step, index, level)
      if (typeof record === 'string') {
        const pending = this.#add(record)
        if (pending !== undefined) await pending
        continue
      }
      for (const part of record) {
        const pending = this.#add(part)
        if (pending !== undefined) await pending
      }
    }
  }

  /** The rest that was not emitted. */
  end(): string {
    if (this.#options.isList) this.#text += ']'
    this.#count(this.#text)
    return this.#text
  }

  #add(text: string): Promise<void> | undefined {
    this.#text += text
    if (this.#text.length >= this.#pieceLength) return this.#passOn()
    return this.#slices.isOver ? this.#slices.next() : undefined
  }

  async #passOn(): Promise<void> {
    const { time, emit } = this.#options
    if (time.isOver) throw responseTimeout()
    const piece = this.#text
    this.#count(piece)
    this.#text = ''
    this.#pieceLength = pieceLength
    await time.without(async () => {
      await emit(piece)
      await nextTurn()
    })
  }

  #count(piece: string): void {
    const { mostBytes } = this.#options
    this.#passedOn += Buffer.byteLength(piece)
    if (this.#passedOn > mostBytes) throw tooManyBytes(mostBytes)
  }
}

function tooManyBytes(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The list has more than ${limit.toLocaleString('en')} bytes, which is the limit (list_max_answer). Page through it with "limit".`,
  })
}
