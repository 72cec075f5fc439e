import { Mutex } from '../../../util/mutex.ts'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Driver } from '../../driver.ts'
import { WorkerConnection } from './worker-connection.ts'
import type { WorkerOptions } from './worker-protocol.ts'

export interface SqliteDriverOptions {
  /** Path of the database file, or `:memory:`. */
  readonly file: string
  /** How many statements may read at the same time. */
  readonly readConnections: number
}

const busyTimeoutMs = 5000

/**
 * Opens a SQLite file: one worker thread writes, up to `readConnections` read, started when needed. A
 * database in memory has one connection for both, since it exists only inside it.
 */
export async function openSqliteDriver({ file, readConnections }: SqliteDriverOptions): Promise<Driver> {
  const writer = new WorkerConnection({ file, role: 'writer', busyTimeoutMs })
  await writer.query({ sql: 'select count(*) from sqlite_schema', parameters: [] })
  return file === ':memory:'
    ? new SingleConnectionDriver(writer)
    : new SqliteDriver(writer, { file, role: 'reader', busyTimeoutMs }, readConnections)
}

class SqliteDriver implements Driver {
  readonly #writer: WorkerConnection
  readonly #writing = new Mutex()
  readonly #readers: ReaderPool

  constructor(writer: WorkerConnection, readerOptions: WorkerOptions, readConnections: number) {
    this.#writer = writer
    this.#readers = new ReaderPool(readerOptions, readConnections)
  }

  async read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#readers.acquire()
    try {
      connection.post('begin')
      return await work(connection)
    } finally {
      connection.post('commit')
      this.#readers.release(connection)
    }
  }

  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#writing.run(() => inTransaction(this.#writer, work))
  }

  async close(): Promise<void> {
    await this.#readers.close()
    await this.#writing.run(() => this.#writer.close())
  }
}

class SingleConnectionDriver implements Driver {
  readonly #connection: WorkerConnection
  readonly #turn = new Mutex()

  constructor(connection: WorkerConnection) {
    this.#connection = connection
  }

  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#turn.run(() => work(this.#connection))
  }

  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#turn.run(() => inTransaction(this.#connection, work))
  }

  close(): Promise<void> {
    return this.#turn.run(() => this.#connection.close())
  }
}

async function inTransaction<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await connection.execute({ sql: 'begin immediate', parameters: [] })
  try {
    const result = await work(connection)
    await connection.execute({ sql: 'commit', parameters: [] })
    return result
  } catch (error) {
    // The first error is the one to report; a rollback fails only when there is nothing left to undo.
    await connection.execute({ sql: 'rollback', parameters: [] }).catch(() => undefined)
    throw error
  }
}

/** Reading connections, started one by one as callers come at the same time. */
class ReaderPool {
  readonly #options: WorkerOptions
  readonly #limit: number
  readonly #all = new Set<WorkerConnection>()
  readonly #idle: WorkerConnection[] = []
  readonly #queue: ((connection: WorkerConnection) => void)[] = []
  #drained: (() => void) | undefined
  #closed = false

  constructor(options: WorkerOptions, limit: number) {
    this.#options = options
    this.#limit = limit
  }

  async acquire(): Promise<WorkerConnection> {
    if (this.#closed) throw new DatabaseError('unavailable', 'The database connection has ended.')
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#all.size < this.#limit) return this.#start()
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  release(connection: WorkerConnection): void {
    const next = this.#queue.shift()
    if (!connection.usable) {
      this.#all.delete(connection)
      next?.(this.#start())
    } else if (next !== undefined) {
      next(connection)
    } else {
      this.#idle.push(connection)
    }
    if (this.#idle.length === this.#all.size) this.#drained?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#idle.length < this.#all.size) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  #start(): WorkerConnection {
    const connection = new WorkerConnection(this.#options)
    this.#all.add(connection)
    return connection
  }
}
