import type { StreamOptions } from '../../driver.ts'
import type { RowSet } from '../../row-set.ts'
import { bytesOf } from '../../shared/bytes-of.ts'

const firstRows = 4
const growth = 4

/** How many rows of a list are asked for at once. The server counts rows only: how many bytes they have shows in those before. */
export class PieceSize {
  readonly #most: Pick<StreamOptions, 'pieceRows' | 'pieceBytes'>
  #rows: number

  constructor(most: Pick<StreamOptions, 'pieceRows' | 'pieceBytes'>) {
    this.#most = most
    this.#rows = Math.min(firstRows, most.pieceRows)
  }

  /** For the next piece. */
  get rows(): number {
    return this.#rows
  }

  /** What the last piece was. */
  learn(rows: RowSet): void {
    const { pieceRows, pieceBytes } = this.#most
    const rowBytes = bytesOf(rows) / Math.max(1, rows.length)
    this.#rows = Math.max(1, Math.floor(Math.min(pieceRows, rows.length * growth, pieceBytes / rowBytes)))
  }
}
