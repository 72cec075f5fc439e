import type { ResponseOutput } from './response-output.ts'

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
  copy(to: ResponseOutput, page: number): boolean {
    if (this.#piece !== to.pieces) return false
    const start = this.#starts[page] ?? -1
    if (start < 0) return false
    to.bytes.repeat(start, this.#ends[page] ?? start)
    to.rows += this.#rows[page] ?? 0
    return true
  }

  /** Records that a page is the output from `start` on, with `rows` rows, in the current piece. */
  note(to: ResponseOutput, page: number, start: number, rows: number): void {
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
