import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SourceLocation } from 'graphql'
import { responseTimeout } from '../../database/response-timeout.ts'
import type { AppError } from '../../errors/app-error.ts'
import { pieceLength, wholeLength } from '../../util/answer-pieces.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { Emit } from '../../util/pieces-of.ts'
import type { TimeLimit } from '../../util/time-limit.ts'
import { type ResponseLimits, responseTooLarge } from '../execution/response-limits.ts'

/** Resolved when writing may continue; undefined if it was completed. */
export type Pending = Promise<void> | undefined

/** A selected field that may fail by itself. */
export interface FieldPlace {
  /** Its path in the response, with null for the index in each list. */
  readonly path: readonly (string | null)[]
  /** The locations in the document that select it. */
  readonly locations: readonly SourceLocation[]
}

/** A field of the response that is null because it failed. */
export interface FieldFailure {
  readonly error: unknown
  readonly path: readonly (string | number)[]
  readonly locations: readonly SourceLocation[]
  /** How many more rows have the same field with the same error, without an entry of their own. */
  more: number
}

/** For so many rows is told that the same selected field has failed. */
const toldFailures = 20

/** The destination of a response: counts its rows and bytes, and passes on what is written. */
export class ResponseOutput {
  /** What was written and is not passed on yet. */
  readonly bytes: ByteWriter
  readonly time: TimeLimit
  /** How many rows were written. */
  rows = 0
  /** How many pieces were passed on: positions in `bytes` are valid only within one piece. */
  pieces = 0
  /** Why rows were left out, if some were: then lists write no more rows. */
  truncatedBy: AppError | undefined
  /** For each list around what is written, by its depth, the index of the current row. */
  readonly #indexes: number[] = []
  /** The fields that failed, apart from root fields. */
  readonly failures: FieldFailure[] = []
  readonly #failuresOf = new Map<FieldPlace, FieldFailure[]>()
  readonly #limits: ResponseLimits
  readonly #emit: Emit<Buffer>
  #passedOn = 0
  /** In bytes. */
  #pieceLength = wholeLength
  /** From this number of bytes on, `isFull` has to be handled before the next row. */
  #fullAt = 0

  /** `bytes` must be empty and not used elsewhere. */
  constructor(bytes: ByteWriter, limits: ResponseLimits, time: TimeLimit, emit: Emit<Buffer>) {
    this.bytes = bytes
    this.time = time
    this.#limits = limits
    this.#emit = emit
    this.#aim()
  }

  /** Starts again; possible as long as nothing was passed on. */
  restart(): void {
    this.bytes.truncate(0)
    this.rows = 0
    this.truncatedBy = undefined
    this.forgetFailures(0)
  }

  /** Begins to write a list of rows that is in `depth` other lists. */
  startList(depth: number): void {
    this.bytes.write('[')
    this.#indexes[depth] = -1
  }

  /** Counts the next row of that list. */
  nextRow(depth: number): void {
    this.rows += 1
    this.#indexes[depth] = (this.#indexes[depth] ?? -1) + 1
  }

  /** Writes null for a field that failed. */
  fail(error: unknown, place: FieldPlace): void {
    this.bytes.write('null')
    let told = this.#failuresOf.get(place)
    if (told === undefined) {
      told = []
      this.#failuresOf.set(place, told)
    }
    const last = told.at(-1)
    if (last !== undefined && told.length >= toldFailures) {
      last.more += 1
      return
    }
    let list = 0
    const path = place.path.map((key) => {
      if (key !== null) return key
      list += 1
      return this.#indexes[list - 1] ?? 0
    })
    const failure = { error, path, locations: place.locations, more: 0 }
    told.push(failure)
    this.failures.push(failure)
  }

  /** Forgets all failures but the first ones: what was written since is removed. */
  forgetFailures(kept: number): void {
    this.failures.length = kept
    this.#failuresOf.clear()
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
    return (
      this.bytes.length >= this.#fullAt || this.rows >= this.#limits.rows || this.truncatedBy !== undefined
    )
  }

  /** The error of the limit that prevents the next row. */
  get reached(): AppError | undefined {
    if (this.truncatedBy !== undefined) return this.truncatedBy
    const { rows, bytes } = this.#limits
    if (this.rows >= rows) return responseTooLarge('rows', rows)
    if (this.#passedOn + this.bytes.length >= bytes) return responseTooLarge('bytes', bytes)
    return this.time.isOver ? responseTimeout() : undefined
  }

  /** From now on the response is passed on in pieces, because it is too long to be buffered. */
  startStreaming(): void {
    this.#pieceLength = pieceLength
    this.#aim()
  }

  /** Passes on what was written if it is enough for a piece; lets other work run, and waits for the client. */
  pause(): Promise<void> {
    return this.time.without(async () => {
      await nextTurn()
      if (this.bytes.length < this.#pieceLength) return
      const piece = this.bytes.take()
      this.pieces += 1
      this.#passedOn += piece.length
      this.startStreaming()
      await this.#emit(piece)
    })
  }

  #aim(): void {
    this.#fullAt = Math.min(this.#pieceLength, this.#limits.bytes - this.#passedOn)
  }
}
