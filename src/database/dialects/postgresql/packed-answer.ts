import { PackedRows, packedKinds } from '../../row-set.ts'
import type { RowSink } from './message-splitter.ts'

/** By the numbers of `pg_type`: boolean, bytea, the integers of at most 32 bits, the floating-point types. */
const kindsByType: ReadonlyMap<number, number> = new Map([
  [16, packedKinds.truth],
  [17, packedKinds.hexadecimal],
  [21, packedKinds.number],
  [23, packedKinds.number],
  [700, packedKinds.number],
  [701, packedKinds.number],
])

/** What the bytes of columns of these types are. */
export function kindsOf(typeNumbers: readonly number[]): Uint8Array {
  return Uint8Array.from(typeNumbers, (number) => kindsByType.get(number) ?? packedKinds.text)
}

/** The rows of one answer as they come. */
export class PackedAnswer implements RowSink {
  readonly #pieces: Buffer[] = []
  #length = 0
  #rows = 0

  count(): void {
    this.#rows += 1
  }

  add(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }

  /** All rows, each with as many values as there are kinds. Throws for anything else. */
  rows(kinds: Uint8Array): PackedRows {
    const [only] = this.#pieces
    const bytes =
      only !== undefined && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces, this.#length)
    return new PackedRows(
      bytes,
      placesIn(bytes, this.#rows, kinds.length),
      kinds.length,
      { kinds },
      this.#rows,
    )
  }
}

function placesIn(bytes: Buffer, rows: number, columns: number): Int32Array {
  const places = new Int32Array(rows * columns * 2)
  let place = 0
  let at = 0
  for (let row = 0; row < rows; row += 1) {
    if (at + 7 > bytes.length) throw surprise()
    const end = at + 1 + int32At(bytes, at + 1)
    if (((bytes[at + 5] as number) << 8) + (bytes[at + 6] as number) !== columns || end > bytes.length)
      throw surprise()
    at += 7
    for (let column = 0; column < columns; column += 1) {
      if (at + 4 > end) throw surprise()
      const length = int32At(bytes, at)
      at += 4
      if (length < 0) {
        if (length !== -1) throw surprise()
        places[place] = -1
        places[place + 1] = -1
      } else {
        places[place] = at
        at += length
        places[place + 1] = at
      }
      place += 2
    }
    if (at !== end) throw surprise()
  }
  if (at !== bytes.length) throw surprise()
  return places
}

function int32At(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  )
}

function surprise(): Error {
  return new Error('The server sent rows that are not those it described.')
}
