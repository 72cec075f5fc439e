import { Admission } from '../../admission.ts'
import type { SharedConnection } from '../../batching/shared-connection.ts'
import { type ReadAlone, SharedReads } from '../../batching/shared-reads.ts'
import type { Connection, Driver, DriverLimits, ReadOptions, TransactionOptions } from '../../driver.ts'
import type { StatementLimits } from '../../supervise.ts'
import { ConnectionPool } from './connection-pool.ts'
import { DirectReading } from './direct-reading.ts'
import { WorkerConnection } from './worker-connection.ts'

export interface SqliteDriverOptions extends DriverLimits {
  /** Path of the database file, or `:memory:`. */
  readonly file: string
  /** How many callers may read at the same time. */
  readonly readConnections: number
}

const busyTimeoutMs = 5000
/** A process takes 40 MB; it comes back when it is needed. */
const idleProcessMs = 30_000

/**
 * Opens a SQLite file. Every connection lives in a worker thread; three more than may read at the same time can be open,
 * so that a writer, the gateway's own records, and a client beside another one that reads all it may, find one. Statements
 * that must be endable run in processes of their own. A database in memory has a single connection, since it exists only
 * inside it.
 */
export async function openSqliteDriver(options: SqliteDriverOptions): Promise<Driver> {
  const driver = new SqliteDriver(options)
  await driver.read((connection) =>
    connection.query({ sql: 'select count(*) from sqlite_schema', parameters: [] }),
  )
  return driver
}

class SqliteDriver implements Driver {
  readonly #pool: ConnectionPool
  readonly #shared: SharedReads
  readonly #direct: DirectReading
  /** Connections whose statements can be ended at any moment. */
  readonly #endable: ConnectionPool
  readonly #admission: Admission
  readonly #limits: DriverLimits

  constructor({ file, readConnections, ...limits }: SqliteDriverOptions) {
    const isInMemory = file === ':memory:'
    // There is one writer, and one connection in all to a database in memory.
    const spares = isInMemory ? 0 : 1
    this.#pool = new ConnectionPool(
      () => new WorkerConnection({ file, busyTimeoutMs }),
      isInMemory ? 1 : readConnections + spares + 2,
    )
    this.#endable = isInMemory
      ? this.#pool
      : new ConnectionPool(
          () => new WorkerConnection({ file, busyTimeoutMs }, 'process'),
          readConnections + spares,
          idleProcessMs,
        )
    const shared = {
      statements: isInMemory || readConnections < 2 ? 0 : 1,
      transactions: isInMemory || readConnections < 4 ? 0 : 1,
    }
    const queries = readConnections - shared.statements - shared.transactions
    this.#admission = new Admission({ queries, changes: 1, records: 1 }, limits.waitMs, {
      queries: spares,
      changes: 0,
    })
    this.#direct = new DirectReading(file)
    this.#shared = new SharedReads({
      admission: this.#admission,
      places: shared,
      open: () => this.#openShared(),
      readDirectly: (sql, values) => this.#direct.select(sql, values),
    })
    this.#limits = limits
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    options: ReadOptions = {},
  ): Promise<Result> {
    const { lane = 'queries', cancellation, endable = false, single = false } = options
    const pool = endable ? this.#endable : this.#pool
    const readAlone: ReadAlone = (own, held) =>
      pool.use((connection) => {
        const limits = { timeoutMs: this.#limits.statementTimeoutMs, cancellation: held }
        return single ? own(connection.limited(limits)) : readTogether(connection, limits, own)
      })
    return endable
      ? this.#admission.run(lane, cancellation, (held) => readAlone(work, held))
      : this.#shared.read(work, options, readAlone)
  }

  async #openShared(): Promise<SharedConnection> {
    const connection = await this.#pool.take()
    try {
      // A thread that has just been started takes its time before it answers.
      await connection.execute('select 1')
    } catch (error) {
      this.#pool.giveBack(connection)
      throw error
    }
    return {
      get usable() {
        return connection.usable
      },
      selectUnwatched: (sql, values, options) => connection.selectUnwatched(sql, values, options),
      frame: (step) => connection.post(step),
      abandon: () => connection.abandon(),
      release: () => this.#pool.giveBack(connection),
    }
  }

  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    { unlimited = false, cancellation }: TransactionOptions = {},
  ): Promise<Result> {
    const timeoutMs = unlimited ? undefined : this.#limits.statementTimeoutMs
    const limits = { timeoutMs, cancellation: undefined }
    if (!unlimited) {
      return this.#admission.run('changes', cancellation, () =>
        this.#pool.use((connection) => writeTogether(connection, limits, work)),
      )
    }
    return this.#admission.runTableChange(() =>
      this.#pool.use((connection) => changeTablesTogether(connection, limits, work)),
    )
  }

  async close(): Promise<void> {
    await this.#admission.close()
    this.#shared.close()
    this.#direct.close()
    await Promise.all([this.#pool.close(), this.#endable.close()])
  }
}

/** All statements see one state of the data: https://www.sqlite.org/isolation.html */
async function readTogether<Result>(
  connection: WorkerConnection,
  limits: StatementLimits,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  connection.post('begin')
  try {
    return await work(connection.limited(limits))
  } finally {
    connection.post('commit')
  }
}

async function writeTogether<Result>(
  connection: WorkerConnection,
  limits: StatementLimits,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await connection.execute('begin immediate')
  try {
    const result = await work(connection.limited(limits))
    await connection.execute('commit')
    return result
  } catch (error) {
    // The first error is the one to report; a rollback fails only when there is nothing left to undo.
    await connection.execute('rollback').catch(() => undefined)
    throw error
  }
}

/** A table that is made again is away for a moment: https://www.sqlite.org/lang_altertable.html#otheralter */
async function changeTablesTogether<Result>(
  connection: WorkerConnection,
  limits: StatementLimits,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await connection.execute('pragma foreign_keys = off')
  try {
    return await writeTogether(connection, limits, work)
  } finally {
    connection.post('pragma legacy_alter_table = off')
    connection.post('pragma foreign_keys = on')
  }
}
