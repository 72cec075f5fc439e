/** Rows on their way out of a worker: one piece of memory that changes hands, instead of values that are copied twice. */
import { ByteWriter } from '../../../util/byte-writer.ts'
import type { Row } from '../../driver.ts'
import { PackedRows, packedKinds } from '../../row-set.ts'

/** First the places as 32-bit integers, then the kinds, then the bytes. */
export interface PackedAnswer {
  readonly memory: ArrayBuffer
  readonly rows: number
  readonly columns: number
}

const usualLength = 65_536

/** Puts rows into memory of their own. */
export class RowPacker {
  #out = new ByteWriter(usualLength)

  pack(rows: readonly Row[]): PackedAnswer {
    const columns = rows[0]?.length ?? 0
    const count = rows.length * columns
    const places = new Int32Array(count * 2)
    const kinds = new Uint8Array(count)
    const out = this.#out
    let cell = 0
    for (const row of rows) {
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
            out.write(String(value))
            kinds[cell] = packedKinds.number
          }
          places[cell * 2 + 1] = out.length
        }
        cell += 1
      }
    }
    const memory = new ArrayBuffer(places.byteLength + count + out.length)
    new Int32Array(memory, 0, count * 2).set(places)
    new Uint8Array(memory, places.byteLength, count).set(kinds)
    new Uint8Array(memory, places.byteLength + count).set(out.written())
    // One long answer does not keep its memory for all others.
    if (out.length > 16 * usualLength) this.#out = new ByteWriter(usualLength)
    else out.truncate(0)
    return { memory, rows: rows.length, columns }
  }
}

export function unpack({ memory, rows, columns }: PackedAnswer): PackedRows {
  const count = rows * columns
  const places = new Int32Array(memory, 0, count * 2)
  const kinds = new Uint8Array(memory, places.byteLength, count)
  const bytes = Buffer.from(memory, places.byteLength + count)
  return new PackedRows(bytes, places, columns, { kinds, kindStep: columns }, rows)
}
