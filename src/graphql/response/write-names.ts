/** Writes cursors and global ids of rows, from their bytes where possible. */
import type { ColumnType } from '../../database/database-schema.ts'
import { type PackedKind, PackedRows, packedKinds, type RowSet } from '../../database/row-set.ts'
import { encodeCursor } from '../../query/cursor.ts'
import { encodeGlobalId } from '../../query/global-id.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { CursorShape, FieldShape } from '../planning/operation-plan.ts'
import { encodeBehind } from './base64.ts'
import { writePlainNumber, writeQuoted } from './write-packed.ts'

/** Writes the result of `encodeCursor` for a row, in quotes. */
export function writeCursor(
  out: ByteWriter,
  rows: RowSet,
  row: number,
  { order, positions }: CursorShape,
): void {
  const before = out.length
  out.write('"')
  const start = out.length
  if (rows instanceof PackedRows && writeCursorValues(out, rows, row, order, positions)) {
    encodeBehind(out, start, 'base64url')
    out.write('"')
    return
  }
  out.truncate(before)
  out.write(`"${encodeCursor(order, valuesAt(rows, row, positions))}"`)
}

function writeCursorValues(
  out: ByteWriter,
  rows: PackedRows,
  row: number,
  order: string,
  positions: readonly number[],
): boolean {
  out.write(`["${order}"`)
  for (const position of positions) {
    const { start, end, kind } = placeOf(rows, row, position)
    if (start < 0) {
      out.write(',null')
    } else if (kind === packedKinds.text) {
      out.write(',')
      writeQuoted(out, rows.bytes, start, end)
    } else if (kind === packedKinds.number) {
      out.write(',')
      if (!writePlainNumber(out, rows.bytes, start, end)) return false
    } else return false
  }
  out.write(']')
  return true
}

/** Writes the result of `encodeGlobalId` for a row, in quotes. */
export function writeGlobalId(
  out: ByteWriter,
  rows: RowSet,
  row: number,
  { typeName, positions, columns, rowNumber }: Extract<FieldShape, { kind: 'globalId' }>,
): void {
  const [position] = positions
  const [column] = columns
  if (rows instanceof PackedRows && position !== undefined && column && positions.length === 1) {
    const { start, end, kind } = placeOf(rows, row, position)
    const tag = column.storedApart ? plainTags[column.type] : undefined
    const isPlain = column.storedApart ? tag !== undefined && rows.bytes[start] === tag : true
    if (start >= 0 && kind === packedKinds.text && isPlain) {
      out.write('"')
      const begin = out.length
      out.write(`${typeName}:`)
      out.copy(rows.bytes, tag === undefined ? start : start + 1, end)
      encodeBehind(out, begin, 'base64')
      out.write('"')
      return
    }
  }
  const number = rowNumber === undefined ? undefined : rows.value(row, rowNumber)
  out.write(`"${encodeGlobalId(typeName, valuesAt(rows, row, positions), columns, number)}"`)
}

/** The tag byte of stored values whose other bytes are the whole content of their GlobalId. */
const plainTags: Readonly<Partial<Record<ColumnType, number>>> = { string: 0x74, integer: 0x69, bigint: 0x69 }

function placeOf(rows: PackedRows, row: number, position: number) {
  const slot = (row * rows.columns + position + rows.skipped) * 2
  return {
    start: rows.offsets[slot] ?? -1,
    end: rows.offsets[slot + 1] ?? -1,
    kind: rows.kinds[row * rows.kindStep + position + rows.skipped] as PackedKind,
  }
}

function valuesAt(rows: RowSet, row: number, positions: readonly number[]) {
  return positions.map((position) => rows.value(row, position))
}
