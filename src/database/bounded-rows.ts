import { bytesOfRow } from './batching/bytes-of.ts'
import { ListedRows } from './row-set.ts'
import type { Row } from './sql-value.ts'

/** Rows as they come, of which none is kept behind so many bytes. */
export class BoundedRows {
  readonly #mostBytes: number
  readonly #rows: Row[] = []
  #bytes = 0
  #isCut = false

  /** Without a number all are kept. */
  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes
  }

  add(row: Row): void {
    this.#isCut ||= this.#bytes >= this.#mostBytes
    if (this.#isCut) return
    this.#rows.push(row)
    this.#bytes += bytesOfRow(row)
  }

  get kept(): ListedRows {
    return new ListedRows(this.#rows, 0, this.#isCut)
  }
}
