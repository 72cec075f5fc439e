import { PackedRows, type RowSet } from '../row-set.ts'

/** What a row is taken to have, where its bytes are not known. */
const rowBytes = 256

/** About how many bytes rows have. */
export function bytesOf(rows: RowSet): number {
  return rows instanceof PackedRows ? rows.bytes.length : rows.length * rowBytes
}
