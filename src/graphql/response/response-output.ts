import { setImmediate as nextTurn } from 'node:timers/promises'
import { answerTimeout } from '../../database/answer-timeout.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { Emit } from '../../util/pieces-of.ts'
import type { TimeLimit } from '../../util/time-limit.ts'
import { answerTooLarge, type ResponseLimits } from '../execution/response-limits.ts'

/** Settled when writing may go on; undefined where it went on to its end. */
export type Pending = Promise<void> | undefined

/** An answer of no more bytes is sent whole. */
const wholeLength = 1_048_576
/** So many bytes of a longer one go out as one piece. */
const pieceLength = 131_072

/** Where an answer is written: counts its rows and bytes, and passes on what there is. */
export class ResponseOutput {
  /** What is sure to be a part of the answer, and not yet passed on. */
  readonly bytes: ByteWriter
  readonly time: TimeLimit
  /** How many rows were written. */
  rows = 0
  /** How many pieces were passed on: places in `bytes` mean something only within one. */
  pieces = 0
  /** Why rows were left out, where some were: then lists write no further ones. */
  cut: AppError | undefined
  readonly #limits: ResponseLimits
  readonly #emit: Emit<Buffer>
  #passedOn = 0
  #pieceLength = wholeLength
  /** From how many bytes on there is something to do before the next row. */
  #fullAt = 0

  /** `bytes` is empty, and nobody else's. */
  constructor(bytes: ByteWriter, limits: ResponseLimits, time: TimeLimit, emit: Emit<Buffer>) {
    this.bytes = bytes
    this.time = time
    this.#limits = limits
    this.#emit = emit
    this.#aim()
  }

  /** Begins again, as long as nothing was passed on. */
  restart(): void {
    this.bytes.truncate(0)
    this.rows = 0
    this.cut = undefined
  }

  /** How many more rows may be written. */
  get rowsLeft(): number {
    return Math.max(0, this.#limits.rows - this.rows)
  }

  /** How many rows may be written in all. */
  get mostRows(): number {
    return this.#limits.rows
  }

  /** Whether the next row has to wait, or must not be written at all. */
  get isFull(): boolean {
    return this.bytes.length >= this.#fullAt || this.rows >= this.#limits.rows || this.cut !== undefined
  }

  /** The limit that keeps the next row from being written. */
  get reached(): AppError | undefined {
    if (this.cut !== undefined) return this.cut
    const { rows, bytes } = this.#limits
    if (this.rows >= rows) return answerTooLarge('rows', rows)
    if (this.#passedOn + this.bytes.length >= bytes) return answerTooLarge('bytes', bytes)
    return this.time.isOver ? answerTimeout() : undefined
  }

  /** The answer is too long to be held until it is whole. */
  goOut(): void {
    this.#pieceLength = pieceLength
    this.#aim()
  }

  /** Passes on what there is, where it is enough for a piece; others get their turn, and the client its time. */
  pause(): Promise<void> {
    return this.time.without(async () => {
      await nextTurn()
      if (this.bytes.length < this.#pieceLength) return
      const piece = this.bytes.take()
      this.pieces += 1
      this.#passedOn += piece.length
      this.goOut()
      await this.#emit(piece)
    })
  }

  #aim(): void {
    this.#fullAt = Math.min(this.#pieceLength, this.#limits.bytes - this.#passedOn)
  }
}
