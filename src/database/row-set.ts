/** The rows of a result, in one of two forms: arrays of values, or the bytes as they arrived. */
import type { Row, SqlValue } from './sql-value.ts'

export type RowSet = ListedRows | PackedRows

/** Rows of decoded values. */
export class ListedRows {
  readonly length: number
  /** Whether further rows were left out because of the limit in bytes. */
  readonly isCut: boolean
  readonly #rows: readonly Row[]
  readonly #skipped: number

  /** Columns are counted after the first `skipped` ones. */
  constructor(rows: readonly Row[], skipped = 0, isCut = false) {
    this.#rows = rows
    this.#skipped = skipped
    this.isCut = isCut
    this.length = rows.length
  }

  value(row: number, column: number): SqlValue {
    return this.#rows[row]?.[column + this.#skipped] ?? null
  }

  /** The same for a column of integers that are not negative, and never null. */
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

/** How the bytes of a value are decoded. */
export const packedKinds = {
  /** Text in UTF-8. */
  text: 0,
  /** A number as text; anything else is the value itself, as a text. */
  number: 1,
  /** Bytes as they are. */
  bytes: 2,
} as const

export type PackedKind = (typeof packedKinds)[keyof typeof packedKinds]

/** The value of a text of the kind `number`. */
export function packedNumber(text: string): SqlValue {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** Rows whose values are bytes, stored contiguously in one buffer. */
export class PackedRows {
  readonly length: number
  readonly bytes: Buffer
  /** The start and end offset of each value; -1 for a null. Row by row. */
  readonly offsets: Int32Array
  /** The number of columns, including skipped ones. */
  readonly columns: number
  readonly skipped: number
  /** A `PackedKind` for each column, or for each value if values of one column differ. */
  readonly kinds: Uint8Array
  /** The distance between the kinds of one row and the next: 0 if each column has one kind. */
  readonly kindStep: number
  /** Whether further rows were left out because of the limit in bytes. */
  readonly isCut: boolean

  constructor(
    bytes: Buffer,
    offsets: Int32Array,
    columns: number,
    {
      kinds,
      kindStep = 0,
      skipped = 0,
      isCut = false,
    }: { kinds: Uint8Array; kindStep?: number; skipped?: number; isCut?: boolean },
    length = columns === 0 ? 0 : offsets.length / columns / 2,
  ) {
    this.bytes = bytes
    this.offsets = offsets
    this.columns = columns
    this.kinds = kinds
    this.kindStep = kindStep
    this.skipped = skipped
    this.isCut = isCut
    this.length = length
  }

  value(row: number, column: number): SqlValue {
    const slot = (row * this.columns + column + this.skipped) * 2
    const start = this.offsets[slot] ?? -1
    if (start < 0) return null
    const end = this.offsets[slot + 1] ?? start
    const kind = this.kinds[row * this.kindStep + column + this.skipped]
    if (kind === packedKinds.bytes) return this.bytes.subarray(start, end)
    if (kind === packedKinds.text) return this.bytes.toString('utf8', start, end)
    return packedNumber(this.bytes.toString('latin1', start, end))
  }

  /** The same for a column of integers that are not negative, and never null. */
  count(row: number, column: number): number {
    const slot = (row * this.columns + column + this.skipped) * 2
    const end = this.offsets[slot + 1] as number
    let count = 0
    for (let at = this.offsets[slot] as number; at < end; at += 1)
      count = count * 10 + (this.bytes[at] as number) - 0x30
    return count
  }

  withoutFirst(): PackedRows {
    const { bytes, offsets, columns, kinds, kindStep, skipped, isCut, length } = this
    return new PackedRows(bytes, offsets, columns, { kinds, kindStep, skipped: skipped + 1, isCut }, length)
  }

  row(row: number): Row {
    return Array.from({ length: this.columns - this.skipped }, (_, column) => this.value(row, column))
  }
}

/** All rows as arrays of values. */
export function listOf(rows: RowSet): readonly Row[] {
  return Array.from({ length: rows.length }, (_, row) => rows.row(row))
}

/** No rows. */
export const noRows = new ListedRows([])
