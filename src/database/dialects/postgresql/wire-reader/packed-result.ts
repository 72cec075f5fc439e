/**
 * One result as the server sent it: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
import pg from 'pg'
import { PackedRows } from '../../../row-set.ts'
import { columnsOf, decodeInPlace, type ResultColumns } from '../value-types.ts'
import { messageTypes, type ResultSink } from './message-splitter.ts'

export interface QueryResult {
  readonly rows: PackedRows
  /** Whether there are no more rows. */
  readonly isComplete: boolean
  /** How many rows there were, or how many were changed, if it is complete. */
  readonly count: number
}

/** What is known of a prepared statement on one connection. */
export interface KnownStatement {
  /** Whether the server has prepared it. */
  isPrepared: boolean
  /** Its columns, once the server has described them. */
  columns: ResultColumns | undefined
}

/** The result of a prepared statement; settled when it is complete, or the connection is lost. */
export class PackedResult implements ResultSink {
  readonly #statement: KnownStatement
  readonly #resolve: (result: QueryResult) => void
  readonly #reject: (error: Error) => void
  readonly #pieces: Buffer[] = []
  readonly #mostBytes: number
  #length = 0
  #rows = 0
  /** Of the rows. */
  #rowBytes = 0
  #isCut = false

  constructor(
    statement: KnownStatement,
    resolve: (result: QueryResult) => void,
    reject: (error: Error) => void,
    mostBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#mostBytes = mostBytes
    this.#statement = statement
    this.#resolve = resolve
    this.#reject = reject
  }

  takesRow(length: number): boolean {
    this.#isCut ||= this.#rowBytes >= this.#mostBytes
    if (this.#isCut) return false
    this.#rows += 1
    this.#rowBytes += length
    return true
  }

  add(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }

  end(): void {
    let result: QueryResult
    try {
      result = this.#read()
    } catch (error) {
      this.#reject(error as Error)
      return
    }
    this.#resolve(result)
  }

  /** Settles an unfinished result: with the error in it, if the server could still send one. */
  lose(error: Error): void {
    try {
      this.#read()
    } catch (found) {
      this.#reject(found instanceof pg.DatabaseError ? found : error)
      return
    }
    this.#reject(error)
  }

  /** Throws the server's error if it sent one, and for anything that is not a result. */
  #read(): QueryResult {
    const [only] = this.#pieces
    const bytes =
      only !== undefined && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces, this.#length)
    let columns = this.#statement.columns?.kinds.length ?? -1
    let offsets: Int32Array | undefined
    let slot = 0
    let isComplete: boolean | undefined
    let count = 0
    for (let at = 0; at < bytes.length; ) {
      if (at + 5 > bytes.length) throw protocolError()
      const end = at + 1 + int32At(bytes, at + 1)
      if (end > bytes.length) throw protocolError()
      switch (bytes[at]) {
        case messageTypes.dataRow:
          if (columns < 0) throw protocolError()
          offsets ??= new Int32Array(this.#rows * columns * 2)
          slot = writeOffsets(bytes, at + 5, end, columns, offsets, slot)
          break
        case messageTypes.parseComplete:
          this.#statement.isPrepared = true
          break
        case messageTypes.rowDescription:
          this.#statement.columns = columnsOf(typesIn(bytes, at + 5, end))
          columns = this.#statement.columns.kinds.length
          break
        case messageTypes.noData:
          this.#statement.columns = withoutColumns
          columns = 0
          break
        case messageTypes.commandComplete:
          isComplete = true
          count = countIn(bytes, at + 5, end)
          break
        case messageTypes.portalSuspended:
          isComplete = false
          break
        case messageTypes.error:
          throw errorIn(bytes, at + 5, end)
      }
      at = end
    }
    const { columns: described } = this.#statement
    if (described === undefined || isComplete === undefined) throw protocolError()
    if (offsets !== undefined) decodeInPlace(bytes, offsets, described)
    const rows = new PackedRows(
      bytes,
      offsets ?? noOffsets,
      columns,
      { kinds: described.kinds, isCut: this.#isCut },
      this.#rows,
    )
    return { rows, isComplete, count }
  }
}

const noOffsets = new Int32Array(0)

/** What is described of a statement that gives no rows. */
const withoutColumns = columnsOf([])

/** The number at the end of a command's tag, such as `INSERT 0 2`; 0 if there is none. */
function countIn(bytes: Buffer, begin: number, end: number): number {
  let count = 0
  let factor = 1
  // The tag ends with a zero.
  for (let at = end - 2; at >= begin; at -= 1) {
    const digit = (bytes[at] as number) - 0x30
    if (digit < 0 || digit > 9) break
    count += digit * factor
    factor *= 10
  }
  return count
}

/** Records the offsets of a row's values, from index `slot` on; returns the index after them. */
function writeOffsets(
  bytes: Buffer,
  begin: number,
  end: number,
  columns: number,
  offsets: Int32Array,
  begun: number,
): number {
  let slot = begun
  if (begin + 2 > end || int16At(bytes, begin) !== columns) throw protocolError()
  let at = begin + 2
  for (let column = 0; column < columns; column += 1) {
    if (at + 4 > end) throw protocolError()
    const length = int32At(bytes, at)
    at += 4
    if (length < 0) {
      if (length !== -1) throw protocolError()
      offsets[slot] = -1
      offsets[slot + 1] = -1
    } else {
      offsets[slot] = at
      at += length
      offsets[slot + 1] = at
    }
    slot += 2
  }
  if (at !== end) throw protocolError()
  return slot
}

/** The type numbers of the columns in a `RowDescription`. */
function typesIn(bytes: Buffer, begin: number, end: number): readonly number[] {
  const types: number[] = []
  let at = begin + 2
  for (let left = begin + 2 > end ? -1 : int16At(bytes, begin); left !== 0; left -= 1) {
    const name = bytes.indexOf(0, at)
    // After the name come the table, the column's number, the type, and its size and format.
    if (left < 0 || name < 0 || name + 19 > end) throw protocolError()
    types.push(bytes.readUInt32BE(name + 7))
    at = name + 19
  }
  if (at !== end) throw protocolError()
  return types
}

/** https://www.postgresql.org/docs/current/protocol-error-fields.html */
const errorFields: ReadonlyMap<
  string,
  'severity' | 'code' | 'detail' | 'where' | 'table' | 'column' | 'constraint' | 'routine'
> = new Map([
  ['V', 'severity'],
  ['C', 'code'],
  ['D', 'detail'],
  ['W', 'where'],
  ['t', 'table'],
  ['c', 'column'],
  ['n', 'constraint'],
  ['R', 'routine'],
])

/** The error in a message. */
export function errorIn(bytes: Buffer, begin: number, end: number): pg.DatabaseError {
  const fields = new Map<string, string>()
  for (const field of bytes.toString('utf8', begin, end).split('\0')) {
    if (field !== '') fields.set(field.slice(0, 1), field.slice(1))
  }
  const error = new pg.DatabaseError(fields.get('M') ?? 'The server refused.', end - begin, 'error')
  for (const [letter, name] of errorFields) {
    const value = fields.get(letter)
    if (value !== undefined) error[name] = value
  }
  return error
}

function int32At(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  )
}

function int16At(bytes: Buffer, at: number): number {
  return ((bytes[at] as number) << 8) + (bytes[at + 1] as number)
}

function protocolError(): Error {
  return new Error('The server sent rows that are not those it described.')
}
