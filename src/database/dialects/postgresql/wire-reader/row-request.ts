/** The messages that request rows: https://www.postgresql.org/docs/current/protocol-message-formats.html */
import { type BoundValues, boundLength, writeBoundValues } from './bound-values.ts'

/** Which rows of a statement are requested. */
export interface RowRequest {
  /** Of the prepared statement; empty for one that is not kept. */
  readonly name: string
  readonly text: string
  /** Present to open a portal with these values; absent to read from an open one. */
  readonly values?: BoundValues
  /** The name of the portal that stays open, and how many rows are requested; absent for all rows. */
  readonly piece?: { readonly portal: string; readonly rows: number }
  /** The limit in bytes; rows after it are dropped. */
  readonly mostBytes?: number | undefined
}

/** `Parse`, and `Describe` for its columns. */
export function preparation({ name, text }: RowRequest): Buffer {
  const parseLength = 5 + name.length + 1 + Buffer.byteLength(text) + 1 + 2
  const bytes = Buffer.allocUnsafe(parseLength + 6 + name.length + 1)
  let at = head(bytes, 0, 0x50, parseLength - 1)
  at = word(bytes, at, name)
  at += bytes.write(text, at)
  at = bytes.writeInt8(0, at)
  // The server determines the types of all parameters.
  at = bytes.writeInt16BE(0, at)
  at = head(bytes, at, 0x44, 5 + name.length + 1)
  at = bytes.writeInt8(0x53, at)
  word(bytes, at, name)
  return bytes
}

/** `Sync`: the server is ready for another request. */
export const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** `Bind` and `Execute`, and `Sync` unless other statements follow. */
export function execution({ name, values, piece }: RowRequest, isLast = true): Buffer {
  const portal = piece?.portal ?? ''
  const names = 2 * portal.length + name.length + 3
  const bytes = Buffer.allocUnsafe(21 + names + (values === undefined ? 0 : boundLength(values)))
  let at = 0
  if (values !== undefined) {
    at = word(bytes, 5, portal)
    at = word(bytes, at, name)
    at = writeBoundValues(bytes, at, values)
    // All columns as text.
    at = bytes.writeInt16BE(0, at)
    head(bytes, 0, 0x42, at - 1)
  }
  at = head(bytes, at, 0x45, 9 + portal.length)
  at = word(bytes, at, portal)
  at = bytes.writeInt32BE(piece?.rows ?? 0, at)
  if (isLast) at += sync.copy(bytes, at)
  return bytes.subarray(0, at)
}

/** `Query`: SQL that runs as it is. */
export function simpleQuery(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(6 + length)
  const at = head(bytes, 0, 0x51, 5 + length)
  bytes.write(text, at)
  bytes[at + length] = 0
  return bytes
}

function head(bytes: Buffer, at: number, type: number, length: number): number {
  bytes[at] = type
  return bytes.writeInt32BE(length, at + 1)
}

/** A name of ours, which is ASCII, with a terminating zero. */
function word(bytes: Buffer, at: number, text: string): number {
  const end = at + bytes.write(text, at, 'latin1')
  bytes[end] = 0
  return end + 1
}
