import type { ByteWriter } from '../../util/byte-writer.ts'

/**
 * Where the pages of a relation stand in what was written: a page that many rows have is made once, and copied. Of use for as
 * long as nothing is taken from the writer.
 */
export class WrittenPages {
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(pages: number) {
    this.#starts = new Int32Array(pages).fill(-1)
    this.#ends = new Int32Array(pages)
  }

  /** Writes a page that was written before; false where it was not. */
  copy(out: ByteWriter, page: number): boolean {
    const start = this.#starts[page] ?? -1
    if (start < 0) return false
    out.repeat(start, this.#ends[page] ?? start)
    return true
  }

  /** Notes that a page is what was written from `start` on. */
  note(out: ByteWriter, page: number, start: number): void {
    if (page < 0) return
    this.#starts[page] = start
    this.#ends[page] = out.length
  }
}
