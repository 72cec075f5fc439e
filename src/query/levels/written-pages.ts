import type { ByteWriter } from '../../util/byte-writer.ts'

/** What is written to: pieces that are passed on one after the other. */
export interface PieceOutput {
  /** What was written and is not passed on yet. */
  readonly bytes: ByteWriter
  /** How many pieces were passed on: positions in `bytes` are valid only within one piece. */
  readonly pieces: number
  /** How many rows were written. */
  rows: number
}

/**
 * Where the pages of a relation are in the output: a page that many rows share is serialized once, and copied until it
 * is passed on.
 */
export class WrittenPages {
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** How many rows each page has. */
  readonly #rows: Int32Array
  #piece = 0

  constructor(pages: number) {
    this.#starts = new Int32Array(pages).fill(-1)
    this.#ends = new Int32Array(pages)
    this.#rows = new Int32Array(pages)
  }

  /** Copies a page that was written before; false if it was not. */
  copy(to: PieceOutput, page: number): boolean {
    if (this.#piece !== to.pieces) return false
    const start = this.#starts[page] ?? -1
    if (start < 0) return false
    to.bytes.repeat(start, this.#ends[page] ?? start)
    to.rows += this.#rows[page] ?? 0
    return true
  }

  /** Records that a page is the output from `start` on, with `rows` rows, in the current piece. */
  note(to: PieceOutput, page: number, start: number, rows: number): void {
    if (page < 0) return
    if (this.#piece !== to.pieces) {
      this.#starts.fill(-1)
      this.#piece = to.pieces
    }
    this.#starts[page] = start
    this.#ends[page] = to.bytes.length
    this.#rows[page] = rows
  }
}
