import { bytesOf } from '../../batching/bytes-of.ts'
import type { StreamOptions } from '../../driver.ts'
import type { RowSet } from '../../row-set.ts'

const firstRows = 4
const growth = 4
/** A piece whose bytes exceed the target by this factor is truncated. */
const tolerance = 8
/** After that, a piece has at most this fraction of the allowed rows. */
const cutting = 16

/**
 * How many rows of a list are fetched at once. The server only counts rows: their size in bytes is estimated from
 * previous pieces.
 */
export class PieceSize {
  /** The limit in bytes for a piece, if the rest can be read again. */
  readonly mostBytes: number | undefined
  readonly #pieceBytes: number
  #mostRows: number
  #rows: number

  /** `isSorted` says that the list can be read again in the same order. */
  constructor({ pieceRows, pieceBytes }: StreamOptions, isSorted: boolean) {
    this.mostBytes = isSorted ? pieceBytes * tolerance : undefined
    this.#pieceBytes = pieceBytes
    this.#mostRows = pieceRows
    this.#rows = Math.min(firstRows, pieceRows)
  }

  /** For the next piece. */
  get rows(): number {
    return this.#rows
  }

  /** Adapts to the last piece. */
  learn(rows: RowSet): void {
    if (rows.isCut) this.#mostRows = this.#mostRows / cutting
    const rowBytes = bytesOf(rows) / Math.max(1, rows.length)
    const fitting = Math.min(this.#mostRows, rows.length * growth, this.#pieceBytes / rowBytes)
    this.#rows = Math.max(1, Math.floor(fitting))
  }
}
