import type { SelectOptions, Statement } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import { ConnectionQueue, type QueuedStatement } from './connection-queue.ts'
import type { QuickStatements } from './quick-statements.ts'
import type { SharedConnection } from './shared-connection.ts'

/** How many statements may wait on one connection; further ones wait for their own connection, as long as callers do. */
const longestQueue = 256

export interface SharedConnectionsOptions {
  /** How many connections they share at most. */
  readonly connections: number
  readonly open: () => Promise<SharedConnection>
  readonly quick: QuickStatements
}

/**
 * Connections on which statements of many callers run one behind the other (a pipeline), without waiting for each other's
 * responses: many of them are one message to the server, and one back. Only for statements that are known to be quick. One that
 * is slow this time delays the others for 50 ms; then it runs on its own connection, and they run again on another
 * shared one, since a statement that only reads can run twice.
 */
export class SharedConnections {
  readonly #options: SharedConnectionsOptions
  readonly #queues = new Set<ConnectionQueue>()
  #opening: Promise<void> | undefined
  #closed = false

  constructor(options: SharedConnectionsOptions) {
    this.#options = options
  }

  /**
   * The rows of a statement; undefined where it is to run on its own connection, at once or after it was tried here. Throws
   * `DatabaseError` where the server refuses it.
   */
  select(statement: Statement, options?: SelectOptions): Promise<RowSet | undefined> | undefined {
    if (!this.#options.quick.isQuick(statement.sql)) return undefined
    const least = this.#least()
    if (least === undefined) return this.#open().then(() => this.#least()?.select(statement, options))
    if (least.length > 0 && this.#queues.size < this.#options.connections) void this.#open()
    return least.length >= longestQueue ? undefined : least.select(statement, options)
  }

  #least(): ConnectionQueue | undefined {
    let least: ConnectionQueue | undefined
    for (const queue of this.#queues) if (least === undefined || queue.length < least.length) least = queue
    return least
  }

  close(): void {
    this.#closed = true
    for (const queue of this.#queues) queue.close()
    this.#queues.clear()
  }

  #open(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#opening ??= this.#options.open().then(
      (connection) => {
        this.#opening = undefined
        if (this.#closed) return connection.release()
        const queue = new ConnectionQueue(connection, this.#options.quick, {
          leave: () => this.#queues.delete(queue),
          askAgain: (statements) => this.#askAgain(statements),
        })
        this.#queues.add(queue)
      },
      // Callers find out by themselves that the server is out of reach.
      () => {
        this.#opening = undefined
      },
    )
    return this.#opening
  }

  async #askAgain(all: readonly QueuedStatement[]): Promise<void> {
    await this.#open()
    for (const { statement, options, settle, fail } of all)
      Promise.resolve(this.select(statement, options)).then(settle, fail)
  }
}
