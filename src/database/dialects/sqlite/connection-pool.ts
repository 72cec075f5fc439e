import { DatabaseError } from '../../database-error.ts'
import type { WorkerConnection } from './worker-connection.ts'

/** Connections that are started on demand, one by one; the most recently used one is taken first. */
export class ConnectionPool {
  readonly #open: () => WorkerConnection
  readonly #limit: number
  readonly #idleMs: number | undefined
  readonly #all = new Set<WorkerConnection>()
  readonly #idle: WorkerConnection[] = []
  readonly #queue: ((connection: WorkerConnection) => void)[] = []
  readonly #lastUse = new WeakMap<WorkerConnection, number>()
  #uses = 0
  #drained: (() => void) | undefined
  #closing: Promise<void> | undefined

  /** A connection that is idle for `idleMs` is closed; without it all are kept. */
  constructor(open: () => WorkerConnection, limit: number, idleMs?: number) {
    this.#open = open
    this.#limit = limit
    this.#idleMs = idleMs
  }

  /**
   * Runs `work` with an exclusive connection, as soon as there is one. After a failure nobody else gets it before `endFailed` has
   * ended what is left of the work; the caller does not wait for that.
   */
  async use<Result>(
    work: (connection: WorkerConnection) => Promise<Result>,
    endFailed: (connection: WorkerConnection) => Promise<void> = async () => {},
  ): Promise<Result> {
    const connection = await this.take()
    try {
      const result = await work(connection)
      this.giveBack(connection)
      return result
    } catch (error) {
      void endFailed(connection).then(() => this.giveBack(connection))
      throw error
    }
  }

  /** Accepts no more work, waits for what is running, and closes all connections. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  async #closeAll(): Promise<void> {
    if (this.#idle.length < this.#all.size) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    for (const connection of this.#all) connection.close()
  }

  /** Takes a connection for exclusive use, until it is returned. */
  async take(): Promise<WorkerConnection> {
    if (this.#closing !== undefined)
      throw new DatabaseError('unavailable', 'The database connection has ended.')
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#all.size < this.#limit) return this.#start()
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  giveBack(connection: WorkerConnection): void {
    const next = this.#queue.shift()
    if (!connection.usable) {
      this.#all.delete(connection)
      next?.(this.#start())
    } else if (next !== undefined) {
      next(connection)
    } else {
      this.#idle.push(connection)
      this.#endWhenIdle(connection)
    }
    if (this.#idle.length === this.#all.size) this.#drained?.()
  }

  #endWhenIdle(connection: WorkerConnection): void {
    if (this.#idleMs === undefined) return
    const uses = this.#uses
    const timer = setTimeout(() => {
      const place = this.#idle.indexOf(connection)
      // If it was used since then, it has another timer.
      if (place === -1 || this.#lastUse.get(connection) !== uses) return
      this.#idle.splice(place, 1)
      this.#all.delete(connection)
      connection.close()
    }, this.#idleMs)
    timer.unref()
    this.#lastUse.set(connection, uses)
    this.#uses += 1
  }

  #start(): WorkerConnection {
    const connection = this.#open()
    this.#all.add(connection)
    return connection
  }
}
