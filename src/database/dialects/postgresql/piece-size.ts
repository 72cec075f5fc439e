import { bytesOf } from '../../batching/bytes-of.ts'
import type { StreamOptions } from '../../driver.ts'
import type { RowSet } from '../../row-set.ts'

const firstRows = 4
const growth = 4
/** A piece that turns out to have so many times the bytes that it should have is cut. */
const tolerance = 8
/** After that, no piece has more than this part of the rows that a piece may have. */
const cutting = 16

/** How many rows of a list are asked for at once. The server counts rows only: how many bytes they have shows in those before. */
export class PieceSize {
  /** No row of a piece is kept behind so many, where it can be read once more. */
  readonly mostBytes: number | undefined
  readonly #pieceBytes: number
  #mostRows: number
  #rows: number

  constructor({ pieceRows, pieceBytes, isSorted }: StreamOptions) {
    this.mostBytes = isSorted ? pieceBytes * tolerance : undefined
    this.#pieceBytes = pieceBytes
    this.#mostRows = pieceRows
    this.#rows = Math.min(firstRows, pieceRows)
  }

  /** For the next piece. */
  get rows(): number {
    return this.#rows
  }

  /** What the last piece was. */
  learn(rows: RowSet): void {
    if (rows.isCut) this.#mostRows = this.#mostRows / cutting
    const rowBytes = bytesOf(rows) / Math.max(1, rows.length)
    const fitting = Math.min(this.#mostRows, rows.length * growth, this.#pieceBytes / rowBytes)
    this.#rows = Math.max(1, Math.floor(fitting))
  }
}
