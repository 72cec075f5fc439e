/**
 * Writes a value of packed rows as JSON: its bytes are copied if they are already valid JSON, as nearly all are. Any
 * other value is decoded and written by its codec, so that both ways give the same text.
 *
 * Gain: processor time of each response with many rows; `npm run bench -- --plain` measures it together with the readers of packed rows.
 * Off: `db_fast_reads: false`; then there are no packed rows. `GATEHOUSE_DB_FAST_READS=false npm test` runs all tests so.
 */
import { type PackedRows, packedKinds } from '../../database/row-set.ts'
import type { ColumnCodec, PlainForm } from '../../query/codec/column-codec.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'

/** Writes the value at a position as its codec shows it. */
export function writePacked(
  out: ByteWriter,
  rows: PackedRows,
  row: number,
  column: number,
  codec: ColumnCodec,
): void {
  const slot = (row * rows.columns + column + rows.skipped) * 2
  const start = rows.offsets[slot] as number
  if (start < 0) {
    out.write('null')
    return
  }
  const end = rows.offsets[slot + 1] as number
  const kind = rows.kinds[row * rows.kindStep + column + rows.skipped]
  if (writePlain(out, rows.bytes, start, end, kind, codec.plain)) return
  const value = rows.value(row, column)
  out.write(value === null ? 'null' : codec.show(value))
}

function writePlain(
  out: ByteWriter,
  bytes: Uint8Array,
  start: number,
  end: number,
  kind: number | undefined,
  form: PlainForm,
): boolean {
  switch (form) {
    case 'number':
      return kind === packedKinds.number && writePlainNumber(out, bytes, start, end)
    case 'safeInteger':
      return kind === packedKinds.text && writeSafeInteger(out, bytes, start, end)
    case 'truth':
      return kind === packedKinds.number && end - start === 1 && writePlainTruth(out, bytes[start])
    case 'dateTime':
      return (
        kind === packedKinds.text &&
        isFullTimestamp(bytes, start, end) &&
        writePlainTimestamp(out, bytes, start, end)
      )
    case 'date':
      return kind === packedKinds.text && end - start === 10 && writePlainTimestamp(out, bytes, start, end)
    case 'text':
      if (kind !== packedKinds.text) return false
      writeQuoted(out, bytes, start, end)
      return true
  }
}

const minus = 0x2d
const blank = 0x20
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Writes a text in UTF-8 as JSON does: https://tc39.es/ecma262/#sec-quotejsonstring */
export function writeQuoted(out: ByteWriter, source: Uint8Array, start: number, end: number): void {
  const bytes = out.reserve((end - start) * 6 + 2)
  let at = out.length
  bytes[at++] = 0x22
  for (let from = start; from < end; from += 1) {
    const byte = source[from] as number
    if (byte < 0x20) {
      at += bytes.write(JSON.stringify(String.fromCharCode(byte)).slice(1, -1), at)
      continue
    }
    if (byte === 0x22 || byte === 0x5c) bytes[at++] = 0x5c
    bytes[at++] = byte
  }
  bytes[at++] = 0x22
  out.advance(at)
}

/** Writes a number that has only one usual form: without an exponent. */
export function writePlainNumber(out: ByteWriter, source: Uint8Array, start: number, end: number): boolean {
  const bytes = out.reserve(end - start)
  let at = out.length
  for (let from = start; from < end; from += 1) {
    const byte = source[from] as number
    if (!isDigit(byte) && byte !== minus && byte !== 0x2e) return false
    bytes[at++] = byte
  }
  out.advance(at)
  return true
}

const [digit0, digit1] = [0x30, 0x31]

function writePlainTruth(out: ByteWriter, digit: number | undefined): boolean {
  if (digit !== digit0 && digit !== digit1) return false
  out.write(digit === digit1 ? 'true' : 'false')
  return true
}

/** A number holds this many digits exactly. */
const safeDigits = 15

function writeSafeInteger(out: ByteWriter, source: Uint8Array, start: number, end: number): boolean {
  if (end === start || end - start > safeDigits) return false
  const bytes = out.reserve(end - start)
  let at = out.length
  for (let from = start; from < end; from += 1) {
    const byte = source[from] as number
    if (!isDigit(byte) && !(byte === minus && from === start && end - start > 1)) return false
    bytes[at++] = byte
  }
  out.advance(at)
  return true
}

/** Whether it has seconds, and no trailing zero in their fraction. */
function isFullTimestamp(source: Uint8Array, start: number, end: number): boolean {
  return end - start === 19 || (end - start > 20 && source[end - 1] !== 0x30)
}

/** `2026-01-31` and `2026-01-31 09:30:00.5`, with `T` instead of the blank. */
function writePlainTimestamp(out: ByteWriter, source: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length < 10 || length > 26) return false
  const bytes = out.reserve(length + 2)
  let at = out.length
  bytes[at++] = 0x22
  for (let index = 0; index < length; index += 1) {
    const byte = source[start + index] as number
    if (index === 4 || index === 7) {
      if (byte !== minus) return false
    } else if (index === 10) {
      if (byte !== blank) return false
      bytes[at++] = 0x54
      continue
    } else if (!isDigit(byte) && !(index > 10 && (byte === 0x3a || byte === 0x2e))) return false
    bytes[at++] = byte
  }
  bytes[at++] = 0x22
  out.advance(at)
  return true
}
