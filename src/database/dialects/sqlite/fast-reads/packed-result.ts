/**
 * Fast reads of SQLite: rows leave a worker as one block of memory that is transferred, instead of values that are copied twice; single
 * rows are read by their key in the caller's thread (`direct-reading.ts`); few short rows are read in one call (`short-results.ts`).
 *
 * Promise: the same rows, values and errors as `node:sqlite` returns row by row. A direct read never scans a table, and at most one
 * runs in a turn of the event loop.
 * Gain: processor time of each request; `npm run bench -- --plain --products SQLite` measures it.
 * Off: `db_fast_reads: false`; then rows are values, and every read goes to a worker. `GATEHOUSE_DB_FAST_READS=false npm test` runs all
 * tests so.
 */
import { ByteWriter } from '../../../../util/byte-writer.ts'
import { PackedRows, packedKinds } from '../../../row-set.ts'
import type { Row } from '../../../sql-value.ts'
import { assertExact } from '../prepared-statements.ts'

/** First the offsets as 32-bit integers, then the kinds, then the bytes. */
export interface PackedResult {
  readonly memory: ArrayBuffer
  readonly rows: number
  readonly columns: number
  /** Whether there may be more rows. */
  readonly isCut: boolean
}

const usualLength = 65_536
const usualCells = 1024

/** Copies rows into separate memory. */
export class RowPacker {
  #out = new ByteWriter(usualLength)
  #offsets = new Int32Array(0)
  #kinds = new Uint8Array(0)
  #cells = 0
  #areExact = true

  /** Packs all rows; their numbers are exact. */
  pack(rows: readonly Row[]): PackedResult {
    const columns = rows[0]?.length ?? 0
    this.#begin(rows.length * columns)
    this.#areExact = true
    for (const row of rows) this.#add(row)
    return this.#end(rows.length, columns, false)
  }

  /** Packs the next rows, up to so many rows or bytes. Calls `assertExact` on numbers unless they are exact. */
  packNext(
    rows: Iterator<Row, unknown>,
    mostRows: number,
    mostBytes: number,
    areExact: boolean,
  ): PackedResult {
    this.#begin(usualCells)
    this.#areExact = areExact
    let count = 0
    let columns = 0
    while (count < mostRows && this.#out.length < mostBytes) {
      const next = rows.next()
      if (next.done) return this.#end(count, columns, false)
      columns = next.value.length
      if (this.#cells + columns > this.#kinds.length) this.#grow(columns)
      this.#add(next.value)
      count += 1
    }
    return this.#end(count, columns, true)
  }

  #begin(cells: number): void {
    this.#cells = 0
    this.#out.truncate(0)
    this.#offsets = new Int32Array(cells * 2)
    this.#kinds = new Uint8Array(cells)
  }

  #grow(columns: number): void {
    const [offsets, kinds] = [this.#offsets, this.#kinds]
    const cells = Math.max(2 * kinds.length, this.#cells + columns)
    this.#offsets = new Int32Array(cells * 2)
    this.#offsets.set(offsets)
    this.#kinds = new Uint8Array(cells)
    this.#kinds.set(kinds)
  }

  #add(row: Row): void {
    const [out, offsets, kinds] = [this.#out, this.#offsets, this.#kinds]
    let cell = this.#cells
    for (const value of row) {
      if (value === null) {
        offsets[cell * 2] = -1
        offsets[cell * 2 + 1] = -1
      } else {
        offsets[cell * 2] = out.length
        if (typeof value === 'string') {
          out.write(value)
        } else if (value instanceof Uint8Array) {
          out.copy(value, 0, value.length)
          kinds[cell] = packedKinds.bytes
        } else {
          if (!this.#areExact) assertExact(value)
          out.write(String(value))
          kinds[cell] = packedKinds.number
        }
        offsets[cell * 2 + 1] = out.length
      }
      cell += 1
    }
    this.#cells = cell
  }

  #end(rows: number, columns: number, isCut: boolean): PackedResult {
    const out = this.#out
    const count = this.#cells
    const offsets = this.#offsets.subarray(0, count * 2)
    const memory = new ArrayBuffer(offsets.byteLength + count + out.length)
    new Int32Array(memory, 0, count * 2).set(offsets)
    new Uint8Array(memory, offsets.byteLength, count).set(this.#kinds.subarray(0, count))
    new Uint8Array(memory, offsets.byteLength + count).set(out.written())
    // A single long result does not keep its memory for all later ones.
    if (out.length > 16 * usualLength) this.#out = new ByteWriter(usualLength)
    return { memory, rows, columns, isCut }
  }
}

export function unpack({ memory, rows, columns, isCut }: PackedResult): PackedRows {
  const count = rows * columns
  const offsets = new Int32Array(memory, 0, count * 2)
  const kinds = new Uint8Array(memory, offsets.byteLength, count)
  const bytes = Buffer.from(memory, offsets.byteLength + count)
  return new PackedRows(bytes, offsets, columns, { kinds, kindStep: columns, isCut }, rows)
}
