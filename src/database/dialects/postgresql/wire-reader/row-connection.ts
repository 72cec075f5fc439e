/**
 * The wire reader: rows of PostgreSQL as the bytes that the server sends, without `pg` making values of them.
 *
 * Promise: a `RowSet` with the same values that `pg` would have read (`value-types.ts` is the one table for both), or the server's error.
 * Bytes that no server sends fail their statement and end the connection, never the process.
 * Gain: processor time of each response with many rows; `npm run bench -- --plain` measures it.
 * Off: `db_fast_reads: false`; then `pg` reads all rows. `GATEHOUSE_DB_FAST_READS=false npm test` runs all tests so, and what depends on
 * rows runs in every run on "PostgreSQL plain reads", too.
 * What it needs of `pg` beyond its interface is in `pg-internals.ts`. It is used by `connect.ts`, `session.ts` and
 * `prepared-statements.ts`.
 */
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { invariant } from '../../../../errors/invariant.ts'
import { connectionOf, readFrom } from '../pg-internals.ts'
import { columnsOf } from '../value-types.ts'
import { MessageSplitter } from './message-splitter.ts'
import { type KnownStatement, PackedResult, type QueryResult } from './packed-result.ts'
import { execution, preparation, type RowRequest, simpleQuery, sync } from './row-request.ts'
import { SeveralResults } from './several-results.ts'

/**
 * The driver's connection, which connects, encrypts and authenticates as usual, with a filter in front of its reader:
 * the results of statements whose rows are wanted as bytes are removed from what the server sends. Bytes that no
 * server sends end the connection, never the process.
 */
export class RowConnection extends pg.Connection {
  readonly #statements = new Map<string, KnownStatement>()
  readonly #others = new EventEmitter()
  readonly #splitter = new MessageSplitter((bytes) => this.#others.emit('data', bytes))
  #isLost = false

  /** Called by the driver for the stream of messages, encrypted or not. */
  attachListeners(stream: Duplex): void {
    readFrom(this, this.#others)
    stream.on('data', (bytes: Buffer) => {
      try {
        this.#splitter.read(bytes)
      } catch (error) {
        // Pending requests fail because the connection is lost.
        stream.destroy(error as Error)
      }
    })
    stream.on('end', () => this.#others.emit('end'))
    stream.on('close', () => {
      this.#isLost = true
      for (const sink of this.#splitter.abandon()) sink.lose(lost())
    })
  }

  /** Whether something can be sent. */
  get isOpen(): boolean {
    return !this.#isLost && this.stream.writable
  }

  override query(text: string): void {
    this.#gather()
    this.#splitter.expect(undefined)
    super.query(text)
  }

  override sync(): void {
    this.#splitter.expect(undefined)
    super.sync()
  }

  /** Requests rows of a statement, which is prepared on first use. Other requests may be in progress. */
  ask(request: RowRequest): Promise<QueryResult> {
    if (!this.isOpen) return Promise.reject(lost())
    this.#gather()
    return new Promise((resolve, reject) => {
      const { result, preparing } = this.#result(request, resolve, reject)
      this.#splitter.expect(result)
      if (preparing !== undefined) this.stream.write(preparing)
      this.stream.write(execution(request))
    })
  }

  /**
   * Requests several statements together: outside of a transaction they are one of their own, which is committed when all have worked. `failed` is
   * called with the position of the first one that has no result.
   */
  askAll(
    requests: readonly RowRequest[],
    failed: (position: number) => void,
  ): Promise<readonly QueryResult[]> {
    if (!this.isOpen) return Promise.reject(lost())
    return new Promise((resolve, reject) => {
      const found: QueryResult[] = []
      let failure: Error | undefined
      const messages: Buffer[] = []
      const results = requests.map((request, index) => {
        const take = (result: QueryResult) => {
          found[index] = result
        }
        const fail = (error: Error) => {
          if (failure === undefined) failed(index)
          failure ??= error
        }
        const { result, preparing } = this.#result(request, take, fail)
        if (preparing !== undefined) messages.push(preparing)
        messages.push(execution(request, false))
        return result
      })
      const done = (error?: Error) => {
        const why = failure ?? error
        if (why === undefined) resolve(found)
        else reject(why)
      }
      this.#splitter.expect(new SeveralResults(results, done))
      this.stream.write(Buffer.concat([...messages, sync]))
    })
  }

  /** Runs SQL that returns no rows. Other requests may be in progress. */
  command(text: string): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(lost())
    this.#gather()
    return new Promise((resolve, reject) => {
      this.#splitter.expect(new PackedResult(withoutRows, resolve, reject))
      this.stream.write(simpleQuery(text))
    })
  }

  /** Whether the server has a prepared statement of this name. */
  hasPrepared(name: string): boolean {
    return this.#statements.get(name)?.isPrepared ?? false
  }

  /** The next statement with this name is another one. */
  forget(name: string): void {
    this.#statements.delete(name)
  }

  /** Takes the result of a request, whose statement may have to be prepared by the message `preparing`. */
  #result(
    request: RowRequest,
    resolve: (result: QueryResult) => void,
    reject: (error: Error) => void,
  ): { readonly result: PackedResult; readonly preparing: Buffer | undefined } {
    const { statement, isNew } = this.#statement(request)
    const fail = (error: Error) => {
      // If preparing failed, it is prepared again, unless that was requested already.
      if (!statement.isPrepared && this.#statements.get(request.name) === statement) this.forget(request.name)
      reject(error)
    }
    return {
      result: new PackedResult(statement, resolve, fail, request.mostBytes),
      preparing: isNew ? preparation(request) : undefined,
    }
  }

  #statement(request: RowRequest): { readonly statement: KnownStatement; readonly isNew: boolean } {
    const { name, values, piece } = request
    // A statement without a name is prepared every time; only its open portal is used again.
    const kept = name !== '' ? name : piece?.portal
    const known = name === '' && values !== undefined ? undefined : this.#statements.get(kept ?? '')
    if (known !== undefined) return { statement: known, isNew: false }
    const statement = { isPrepared: false, columns: undefined }
    if (kept !== undefined) this.#statements.set(kept, statement)
    return { statement, isNew: true }
  }

  /** Messages of the same turn of the event loop are sent together. */
  #gather(): void {
    const { stream } = this
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}

const withoutRows: KnownStatement = { isPrepared: true, columns: columnsOf([]) }

/** The connection of a pooled client. */
export function rowConnectionOf(client: pg.PoolClient): RowConnection {
  const connection = connectionOf(client)
  invariant(connection instanceof RowConnection, 'clients of the pool have connections that split results')
  return connection
}

function lost(): Error {
  return new Error('The connection to the server has ended.')
}
