/** The rows that a statement answered with, in one of two forms: lists of values, or the bytes as they came. */
import type { Row, SqlValue } from './driver.ts'

export type RowSet = ListedRows | PackedRows

/** Rows whose values are values already. */
export class ListedRows {
  readonly length: number
  /** Whether further rows were left out, because all have too many bytes. */
  readonly isCut: boolean
  readonly #rows: readonly Row[]
  readonly #skipped: number

  /** Columns are counted after the `skipped` first ones. */
  constructor(rows: readonly Row[], skipped = 0, isCut = false) {
    this.#rows = rows
    this.#skipped = skipped
    this.isCut = isCut
    this.length = rows.length
  }

  value(row: number, column: number): SqlValue {
    return this.#rows[row]?.[column + this.#skipped] ?? null
  }

  /** The same for a column of whole numbers that are not negative, and never null. */
  count(row: number, column: number): number {
    return Number(this.value(row, column))
  }

  /** The same rows without their first column. */
  withoutFirst(): ListedRows {
    return new ListedRows(this.#rows, this.#skipped + 1, this.isCut)
  }

  row(row: number): Row {
    const values = this.#rows[row] ?? []
    return this.#skipped === 0 ? values : values.slice(this.#skipped)
  }
}

/** What the bytes of a value are. */
export const packedKinds = {
  /** Text in UTF-8. */
  text: 0,
  /** A number as text; one that is none is itself the value, as a text. */
  number: 1,
  /** `t` or `f`: 1 or 0. */
  truth: 2,
  /** Bytes in hexadecimal after two characters, as PostgreSQL writes them. */
  hexadecimal: 3,
  /** Bytes as they are. */
  bytes: 4,
} as const

export type PackedKind = (typeof packedKinds)[keyof typeof packedKinds]

/** Rows whose values are bytes, one after the other in one buffer. */
export class PackedRows {
  readonly length: number
  readonly bytes: Buffer
  /** For each value where it starts and where it ends; -1 for a null. Row by row. */
  readonly places: Int32Array
  /** Of all columns, those skipped too. */
  readonly columns: number
  readonly skipped: number
  /** A `PackedKind` for each column, or for each value where values of one column differ. */
  readonly kinds: Uint8Array
  /** From one row's kinds to the next one's: 0 where a column has one kind. */
  readonly kindStep: number
  /** Whether further rows were left out, because all have too many bytes. */
  readonly isCut: boolean

  constructor(
    bytes: Buffer,
    places: Int32Array,
    columns: number,
    {
      kinds,
      kindStep = 0,
      skipped = 0,
      isCut = false,
    }: { kinds: Uint8Array; kindStep?: number; skipped?: number; isCut?: boolean },
    length = columns === 0 ? 0 : places.length / columns / 2,
  ) {
    this.bytes = bytes
    this.places = places
    this.columns = columns
    this.kinds = kinds
    this.kindStep = kindStep
    this.skipped = skipped
    this.isCut = isCut
    this.length = length
  }

  value(row: number, column: number): SqlValue {
    const place = (row * this.columns + column + this.skipped) * 2
    const start = this.places[place] ?? -1
    if (start < 0) return null
    const end = this.places[place + 1] ?? start
    switch (this.kinds[row * this.kindStep + column + this.skipped]) {
      case packedKinds.number: {
        const text = this.bytes.toString('latin1', start, end)
        const number = Number(text)
        return Number.isFinite(number) ? number : text
      }
      case packedKinds.truth:
        return this.bytes[start] === 0x74 ? 1 : 0
      case packedKinds.hexadecimal:
        return Buffer.from(this.bytes.toString('latin1', start + 2, end), 'hex')
      case packedKinds.bytes:
        return this.bytes.subarray(start, end)
      default:
        return this.bytes.toString('utf8', start, end)
    }
  }

  /** The same for a column of whole numbers that are not negative, and never null. */
  count(row: number, column: number): number {
    const place = (row * this.columns + column + this.skipped) * 2
    const end = this.places[place + 1] as number
    let count = 0
    for (let at = this.places[place] as number; at < end; at += 1)
      count = count * 10 + (this.bytes[at] as number) - 0x30
    return count
  }

  withoutFirst(): PackedRows {
    const { bytes, places, columns, kinds, kindStep, skipped, isCut, length } = this
    return new PackedRows(bytes, places, columns, { kinds, kindStep, skipped: skipped + 1, isCut }, length)
  }

  row(row: number): Row {
    return Array.from({ length: this.columns - this.skipped }, (_, column) => this.value(row, column))
  }
}

/** All rows as lists of values. */
export function listOf(rows: RowSet): readonly Row[] {
  return Array.from({ length: rows.length }, (_, row) => rows.row(row))
}

/** Rows that there are none of. */
export const noRows = new ListedRows([])
