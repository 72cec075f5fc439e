import { bytesOf } from '../../database/batching/bytes-of.ts'
import type { RowSet } from '../../database/row-set.ts'
import type { SelectedPage } from '../run-select.ts'

/** The most bytes of rows in memory at once, however few rows they are. */
export const mostHeldBytes = 64 * 1024 * 1024

/** The limit for rows in memory is exceeded. */
export class TooManyHeldRows extends Error {}

/** Counts the rows in memory. */
export class HeldRows {
  readonly #mostRows: number
  #rows = 0
  #bytes = 0

  constructor(mostRows: number) {
    this.#mostRows = mostRows
  }

  /** Counts the rows of all pages of a level, of which this is one. Throws `TooManyHeldRows`, from then on for every call. */
  add({ rows, aggregates }: SelectedPage): void {
    this.#count(rows)
    for (const one of aggregates) this.#count(one.rows)
  }

  #count(rows: RowSet): void {
    this.#rows += rows.length
    this.#bytes += bytesOf(rows)
    if (rows.isCut) throw new TooManyHeldRows()
    this.assert()
  }

  assert(): void {
    if (this.#rows > this.#mostRows || this.#bytes > mostHeldBytes) throw new TooManyHeldRows()
  }
}
