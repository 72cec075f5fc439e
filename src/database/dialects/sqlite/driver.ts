import { Turnstile } from '../../../util/turnstile.ts'
import type { Connection, Driver, Lane, Statement } from '../../driver.ts'
import { ConnectionPool } from './connection-pool.ts'
import { WorkerConnection } from './worker-connection.ts'

export interface SqliteDriverOptions {
  /** Path of the database file, or `:memory:`. */
  readonly file: string
  /** How many callers may read at the same time. */
  readonly readConnections: number
}

const busyTimeoutMs = 5000

/**
 * Opens a SQLite file. Every connection lives in a worker thread; two more than may read at the same time
 * can be open, so that a writer and the gateway's own records always find one. A database in memory has a single connection, since it
 * exists only inside it.
 */
export async function openSqliteDriver({ file, readConnections }: SqliteDriverOptions): Promise<Driver> {
  const isInMemory = file === ':memory:'
  const limit = isInMemory ? 1 : readConnections + 2
  const pool = new ConnectionPool(() => new WorkerConnection({ file, busyTimeoutMs }), limit)
  await pool.use((connection) => connection.query(statement('select count(*) from sqlite_schema')))
  return new SqliteDriver(pool, isInMemory ? 1 : readConnections)
}

class SqliteDriver implements Driver {
  readonly #pool: ConnectionPool
  readonly #reading: Readonly<Record<Lane, Turnstile>>
  readonly #writing = new Turnstile(1)

  constructor(pool: ConnectionPool, readers: number) {
    this.#pool = pool
    this.#reading = { queries: new Turnstile(readers), records: new Turnstile(1) }
  }

  read<Result>(work: (connection: Connection) => Promise<Result>, lane: Lane = 'queries'): Promise<Result> {
    return this.#reading[lane].run(() => this.#pool.use((connection) => readTogether(connection, work)))
  }

  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#writing.run(() => this.#pool.use((connection) => writeTogether(connection, work)))
  }

  close(): Promise<void> {
    return this.#writing.run(() => this.#pool.close())
  }
}

/** All statements see one state of the data: https://www.sqlite.org/isolation.html */
async function readTogether<Result>(
  connection: WorkerConnection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  connection.post('begin')
  try {
    return await work(connection)
  } finally {
    connection.post('commit')
  }
}

async function writeTogether<Result>(
  connection: WorkerConnection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await connection.execute(statement('begin immediate'))
  try {
    const result = await work(connection)
    await connection.execute(statement('commit'))
    return result
  } catch (error) {
    // The first error is the one to report; a rollback fails only when there is nothing left to undo.
    await connection.execute(statement('rollback')).catch(() => undefined)
    throw error
  }
}

function statement(sql: string): Statement {
  return { sql, parameters: [] }
}
