import { bytesOf } from '../../database/batching/bytes-of.ts'
import type { RowSet } from '../../database/row-set.ts'

/** The most bytes of rows in memory at once, however few rows they are. */
export const mostHeldBytes = 64 * 1024 * 1024

/** The rows of a level, and those of its aggregates. */
interface RowsOfLevel {
  readonly rows: RowSet
  readonly aggregates: readonly { readonly rows: RowSet }[]
}

/** The limit for rows in memory is exceeded. */
export class TooManyHeldRows extends Error {}

/** Counts the rows in memory. */
export class HeldRows {
  readonly #mostRows: number
  readonly #mostBytes: number
  #rows = 0
  #bytes = 0

  constructor(mostRows: number, mostBytes = mostHeldBytes) {
    this.#mostRows = mostRows
    this.#mostBytes = mostBytes
  }

  /** For a single row: once it is in memory, refusing it gains nothing. */
  static ofOneRow(): HeldRows {
    return new HeldRows(1, Number.POSITIVE_INFINITY)
  }

  /** Throws `TooManyHeldRows`, from then on for every call. */
  add({ rows, aggregates }: RowsOfLevel): void {
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
    if (this.#rows > this.#mostRows || this.#bytes > this.#mostBytes) throw new TooManyHeldRows()
  }
}
