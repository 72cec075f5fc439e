import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { MessageSplitter, type RowSink } from './message-splitter.ts'

/** What the driver's connection has, and its types do not tell. */
interface DriverConnection {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  attachListeners(stream: EventEmitter): void
}

const driverConnection = pg.Connection.prototype as unknown as DriverConnection

/**
 * The driver's connection, which connects, encrypts and authenticates as ever, with one thing in front of its reader:
 * the rows of statements that want them as bytes are taken out of what the server sends. What no server sends ends
 * the connection, and never the process.
 */
export class RowConnection extends pg.Connection {
  /** What the values of prepared statements' columns are, by the statements' names. */
  readonly kinds = new Map<string, Uint8Array>()
  readonly #others = new EventEmitter()
  readonly #splitter = new MessageSplitter((bytes) => this.#others.emit('data', bytes))

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

  /** Sends messages that end with a `Sync`; the rows of the answer go to `sink`. */
  ask(messages: Buffer, sink: RowSink): void {
    this.#gather()
    this.#splitter.expect(sink)
    this.stream.write(messages)
  }

  /** What is sent before the event loop goes on is sent together. */
  #gather(): void {
    const { stream } = this
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** Prepares a statement, unless it is, and asks what its columns are. */
  prepare(name: string, text: string): void {
    const { parsedStatements, submittedNamedStatements } = this as unknown as DriverConnection
    if (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined) return
    this.#gather()
    submittedNamedStatements[name] = text
    this.parse({ name, text, types: [] }, true)
    this.describe({ type: 'S', name }, true)
  }
}
