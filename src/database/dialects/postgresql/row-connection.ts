import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { invariant } from '../../../errors/invariant.ts'
import { MessageSplitter } from './message-splitter.ts'
import { type Answered, type KnownStatement, PackedAnswer } from './packed-answer.ts'
import { execution, preparation, type RowRequest, simpleQuery } from './row-request.ts'

/** What the driver's connection has, and its types do not tell. */
interface DriverConnection {
  attachListeners(stream: EventEmitter): void
}

const driverConnection = pg.Connection.prototype as unknown as DriverConnection

/**
 * The driver's connection, which connects, encrypts and authenticates as ever, with one thing in front of its reader:
 * the answers to statements whose rows are wanted as bytes are taken out of what the server sends. What no server sends
 * ends the connection, and never the process.
 */
export class RowConnection extends pg.Connection {
  readonly #statements = new Map<string, KnownStatement>()
  readonly #others = new EventEmitter()
  readonly #splitter = new MessageSplitter((bytes) => this.#others.emit('data', bytes))
  #isLost = false

  /** Called by the driver for the stream that messages come from, encrypted or not. */
  attachListeners(stream: Duplex): void {
    driverConnection.attachListeners.call(this, this.#others)
    stream.on('data', (bytes: Buffer) => {
      try {
        this.#splitter.read(bytes)
      } catch (error) {
        // Whose answers were under way is told that the connection is gone.
        stream.destroy(error as Error)
      }
    })
    stream.on('end', () => this.#others.emit('end'))
    stream.on('close', () => {
      this.#isLost = true
      for (const sink of this.#splitter.abandon()) sink.lose(lost())
    })
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

  /** Asks for rows of a statement, which is prepared when it is first asked for. Other answers may be under way. */
  ask(request: RowRequest): Promise<Answered> {
    if (this.#isLost || !this.stream.writable) return Promise.reject(lost())
    this.#gather()
    return new Promise((resolve, reject) => {
      const statement = this.#statement(request)
      const fail = (error: Error) => {
        // What could not be prepared is prepared again, unless somebody has asked for that already.
        if (!statement.isPrepared && this.#statements.get(request.name) === statement)
          this.forget(request.name)
        reject(error)
      }
      this.#splitter.expect(new PackedAnswer(statement, resolve, fail, request.mostBytes))
      this.stream.write(execution(request))
    })
  }

  /** Runs text that answers without rows. Other answers may be under way. */
  command(text: string): Promise<unknown> {
    if (this.#isLost || !this.stream.writable) return Promise.reject(lost())
    this.#gather()
    return new Promise((resolve, reject) => {
      this.#splitter.expect(new PackedAnswer(withoutRows, resolve, reject))
      this.stream.write(simpleQuery(text))
    })
  }

  /** Whether the server has a prepared statement of this name. */
  hasPrepared(name: string): boolean {
    return this.#statements.get(name)?.isPrepared ?? false
  }

  /** The next statement of this name is another one. */
  forget(name: string): void {
    this.#statements.delete(name)
  }

  #statement(request: RowRequest): KnownStatement {
    const { name, values, piece } = request
    // One without a name is prepared every time; only an open list of its rows is asked for again.
    const kept = name !== '' ? name : piece?.portal
    const known = name === '' && values !== undefined ? undefined : this.#statements.get(kept ?? '')
    if (known !== undefined) return known
    const statement = { isPrepared: false, kinds: undefined }
    if (kept !== undefined) this.#statements.set(kept, statement)
    this.stream.write(preparation(request))
    return statement
  }

  /** What is sent before the event loop goes on is sent together. */
  #gather(): void {
    const { stream } = this
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }
}

const withoutRows: KnownStatement = { isPrepared: true, kinds: new Uint8Array(0) }

/** The connection of a client of the pool. */
export function connectionOf(client: pg.PoolClient): RowConnection {
  const { connection } = client as unknown as { readonly connection: unknown }
  invariant(connection instanceof RowConnection, 'clients of the pool have connections that part answers')
  return connection
}

function lost(): Error {
  return new Error('The connection to the server has ended.')
}
