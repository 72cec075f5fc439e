import { PackedRows, type RowSet } from '../row-set.ts'
import type { Row } from '../sql-value.ts'

/** So many rows are looked at, where their bytes are not known. */
const lookedAt = 16
/** What a value takes besides its text or bytes. */
const valueBytes = 16

/** About how many bytes rows have. */
export function bytesOf(rows: RowSet): number {
  if (rows instanceof PackedRows) return rows.bytes.length
  const step = Math.max(1, Math.floor(rows.length / lookedAt))
  let bytes = 0
  let looked = 0
  for (let row = 0; row < rows.length; row += step) {
    bytes += bytesOfRow(rows.row(row))
    looked += 1
  }
  return looked === 0 ? 0 : (bytes / looked) * rows.length
}

/** The same of one row of values. */
export function bytesOfRow(row: Row): number {
  let bytes = 0
  for (const value of row)
    bytes += valueBytes + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)
  return bytes
}
