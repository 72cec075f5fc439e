import pg from 'pg'
import { invariant } from '../../../errors/invariant.ts'
import type { PackedRows } from '../../row-set.ts'
import { boundValues } from './bound-values.ts'
import { kindsOf, PackedAnswer } from './packed-answer.ts'
import { RowConnection } from './row-connection.ts'

/** Which rows of a statement are asked for. */
export interface RowRequest {
  /** Of the prepared statement. */
  readonly name: string
  readonly text: string
  /** Present where a portal is opened for them; absent where rows of an open one are asked for. */
  readonly values?: readonly (string | Buffer | null)[]
  /** The name of the portal that stays open, and how many rows are asked for; absent for all of them. */
  readonly piece?: { readonly portal: string; readonly rows: number }
}

export interface Answered {
  readonly rows: PackedRows
  /** Whether there are no further rows. */
  readonly isComplete: boolean
}

/** A statement whose rows are taken as bytes, in the driver's queue like any other. */
export class RowQuery extends pg.Query {
  readonly #request: RowRequest
  readonly #answer = new PackedAnswer()
  readonly #done: (error: Error | undefined, answered?: Answered) => void
  #connection: RowConnection | undefined
  #ended: 'complete' | 'suspended' | undefined
  #surprise: Error | undefined

  constructor(request: RowRequest, done: (error: Error | undefined, answered?: Answered) => void) {
    super({ name: request.name, text: request.text })
    this.#request = request
    this.#done = done
  }

  // The driver's types have it as a property.
  override readonly submit = (connection: pg.Connection): void => {
    invariant(connection instanceof RowConnection, 'rows as bytes come over a connection that parts them')
    this.#connection = connection
    const { name, text, values, piece } = this.#request
    const messages = messagesOf(name, piece?.portal ?? '', values, piece?.rows ?? 0)
    connection.prepare(name, text)
    connection.ask(messages, this.#answer)
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    const kinds = kindsOf(fields.map(({ dataTypeID }) => dataTypeID))
    this.#connection?.kinds.set(this.#request.name, kinds)
  }

  handleDataRow(): void {
    this.#surprise = new Error('The server sent a row where none was expected.')
  }

  handleCommandComplete(): void {
    this.#ended = 'complete'
  }

  handlePortalSuspended(): void {
    this.#ended = 'suspended'
  }

  handleReadyForQuery(): void {
    let answered: Answered
    try {
      answered = this.#answered()
    } catch (error) {
      this.#done(error as Error)
      return
    }
    this.#done(undefined, answered)
  }

  #answered(): Answered {
    const kinds = this.#connection?.kinds.get(this.#request.name)
    if (this.#surprise) throw this.#surprise
    if (kinds === undefined || this.#ended === undefined)
      throw new Error('The server ended an answer without its rows.')
    return { rows: this.#answer.rows(kinds), isComplete: this.#ended === 'complete' }
  }

  handleError(error: Error): void {
    this.#done(error)
  }
}

/** `Bind`, `Execute` and `Sync`: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function messagesOf(name: string, portal: string, values: RowRequest['values'], rows: number): Buffer {
  const portalLength = portal.length + 1
  const bound = values === undefined ? undefined : boundValues(values)
  const bindLength = bound === undefined ? 0 : 5 + portalLength + name.length + 1 + bound.length + 2
  const bytes = Buffer.allocUnsafe(bindLength + 5 + portalLength + 4 + 5)
  let at = 0
  if (bound !== undefined) {
    at = head(bytes, at, 0x42, bindLength - 1)
    at = word(bytes, at, portal)
    at = word(bytes, at, name)
    at += bound.copy(bytes, at)
    // All columns as text.
    at = bytes.writeInt16BE(0, at)
  }
  at = head(bytes, at, 0x45, 8 + portalLength)
  at = word(bytes, at, portal)
  at = bytes.writeInt32BE(rows, at)
  head(bytes, at, 0x53, 4)
  return bytes
}

function head(bytes: Buffer, at: number, type: number, length: number): number {
  bytes[at] = type
  return bytes.writeInt32BE(length, at + 1)
}

/** A name of ours, which is ASCII, with the zero behind it. */
function word(bytes: Buffer, at: number, text: string): number {
  const end = at + bytes.write(text, at, 'latin1')
  bytes[end] = 0
  return end + 1
}
