/** The JSON text of a list, as it is made. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { responseTimeout } from '../database/response-timeout.ts'
import { AppError } from '../errors/app-error.ts'
import type { SelectedPage } from '../query/run-select.ts'
import type { RecordLayout } from '../record/record-layout.ts'
import type { Emit } from '../util/pieces-of.ts'
import type { TimeLimit } from '../util/time-limit.ts'
import { TimeSlices } from '../util/time-slices.ts'

/** Shorter texts, in UTF-16 units, are sent whole. */
const wholeLength = 1_048_576
/** The size of a piece of a longer one, in units. */
const pieceLength = 131_072

export interface ListResponseOptions {
  readonly layout: RecordLayout
  /** How many bytes the response may have. */
  readonly mostBytes: number
  readonly time: TimeLimit
  readonly emit: Emit<string>
}

/** The output of a list: emits full pieces, at the speed of its reader. */
export class ListResponse {
  readonly #options: ListResponseOptions
  readonly #slices = new TimeSlices()
  #text = '['
  #isFirst = true
  #passedOn = 0
  #pieceLength = wholeLength

  constructor(options: ListResponseOptions) {
    this.#options = options
  }

  /** Writes the rows of a page. Throws ANSWER_TOO_LARGE and ANSWER_TIMEOUT if a limit is reached. */
  async write({ rows, start, step, count }: SelectedPage): Promise<void> {
    const { layout } = this.#options
    for (let index = 0; index < count; index += 1) {
      if (this.#slices.isOver) await this.#slices.next()
      const record = layout.write(rows.row(start + index * step))
      this.#text += this.#isFirst ? record : `,${record}`
      this.#isFirst = false
      if (this.#text.length >= this.#pieceLength) await this.#passOn()
    }
  }

  /** The rest that was not emitted. */
  end(): string {
    this.#text += ']'
    this.#count(this.#text)
    return this.#text
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
