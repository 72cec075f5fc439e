/** Rows on their way out of a worker: one piece of memory that changes hands, instead of values that are copied twice. */
import { ByteWriter } from '../../../util/byte-writer.ts'
import type { Row } from '../../driver.ts'
import { PackedRows, packedKinds } from '../../row-set.ts'
import { assertExact } from './prepared-statements.ts'

/** First the places as 32-bit integers, then the kinds, then the bytes. */
export interface PackedAnswer {
  readonly memory: ArrayBuffer
  readonly rows: number
  readonly columns: number
  /** Whether there may be further rows. */
  readonly isCut: boolean
}

const usualLength = 65_536
const usualCells = 1024

/** Puts rows into memory of their own. */
export class RowPacker {
  #out = new ByteWriter(usualLength)
  #places = new Int32Array(0)
  #kinds = new Uint8Array(0)
  #cells = 0
  #areExact = true

  /** All of them; their numbers are exact. */
  pack(rows: readonly Row[]): PackedAnswer {
    const columns = rows[0]?.length ?? 0
    this.#begin(rows.length * columns)
    this.#areExact = true
    for (const row of rows) this.#add(row)
    return this.#end(rows.length, columns, false)
  }

  /**
   * The next ones: no further row is taken when there are so many rows, or so many bytes. Calls `assertExact` on numbers
   * unless they are exact.
   */
  packNext(
    rows: Iterator<Row, unknown>,
    mostRows: number,
    mostBytes: number,
    areExact: boolean,
  ): PackedAnswer {
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
    this.#places = new Int32Array(cells * 2)
    this.#kinds = new Uint8Array(cells)
  }

  #grow(columns: number): void {
    const [places, kinds] = [this.#places, this.#kinds]
    const cells = Math.max(2 * kinds.length, this.#cells + columns)
    this.#places = new Int32Array(cells * 2)
    this.#places.set(places)
    this.#kinds = new Uint8Array(cells)
    this.#kinds.set(kinds)
  }

  #add(row: Row): void {
    const [out, places, kinds] = [this.#out, this.#places, this.#kinds]
    let cell = this.#cells
    for (const value of row) {
      if (value === null) {
        places[cell * 2] = -1
        places[cell * 2 + 1] = -1
      } else {
        places[cell * 2] = out.length
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
        places[cell * 2 + 1] = out.length
      }
      cell += 1
    }
    this.#cells = cell
  }

  #end(rows: number, columns: number, isCut: boolean): PackedAnswer {
    const out = this.#out
    const count = this.#cells
    const places = this.#places.subarray(0, count * 2)
    const memory = new ArrayBuffer(places.byteLength + count + out.length)
    new Int32Array(memory, 0, count * 2).set(places)
    new Uint8Array(memory, places.byteLength, count).set(this.#kinds.subarray(0, count))
    new Uint8Array(memory, places.byteLength + count).set(out.written())
    // One long answer does not keep its memory for all others.
    if (out.length > 16 * usualLength) this.#out = new ByteWriter(usualLength)
    return { memory, rows, columns, isCut }
  }
}

export function unpack({ memory, rows, columns, isCut }: PackedAnswer): PackedRows {
  const count = rows * columns
  const places = new Int32Array(memory, 0, count * 2)
  const kinds = new Uint8Array(memory, places.byteLength, count)
  const bytes = Buffer.from(memory, places.byteLength + count)
  return new PackedRows(bytes, places, columns, { kinds, kindStep: columns, isCut }, rows)
}
