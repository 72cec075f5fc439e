import type { CancellationToken } from '../../../util/cancellation-token.ts'
import { Admission } from '../../admission.ts'
import type { SharedConnection } from '../../batching/shared-connection.ts'
import { type ReadAlone, SharedReads } from '../../batching/shared-reads.ts'
import type {
  Connection,
  ConnectionUsage,
  Driver,
  DriverSettings,
  ReadOptions,
  StreamingConnection,
  StreamReadOptions,
  TransactionOptions,
} from '../../driver.ts'
import type { StatementLimits } from '../../supervise.ts'
import type { StartThread } from './connection-calls.ts'
import { ConnectionPool } from './connection-pool.ts'
import { DirectReading } from './fast-reads/direct-reading.ts'
import { WorkerConnection } from './worker-connection.ts'

export interface SqliteDriverOptions extends DriverSettings {
  /** Path of the database file, or `:memory:`. */
  readonly file: string
  /** How many callers may read concurrently. */
  readonly readConnections: number
  /** How the threads of connections start; absent for new ones. No option sets it. */
  readonly startThread?: StartThread
}

const busyTimeoutMs = 5000
/** A process takes 40 MB; it is restarted on demand. */
const idleProcessMs = 30_000

/**
 * Opens a SQLite file. Every connection is in a worker thread; three more connections than readers may be open: for a
 * writer, for the gateway's own records, and for another client when one uses all its readers. Statements that must be
 * cancellable run in separate processes. A database in memory has a single connection, since it exists only inside it.
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
  /** Connections whose statements can be cancelled at any time. */
  readonly #endable: ConnectionPool
  readonly #admission: Admission
  readonly #statementTimeoutMs: number

  constructor(options: SqliteDriverOptions) {
    const { file, readConnections, statementTimeoutMs, waitMs, fastReads = true, startThread } = options
    const isInMemory = file === ':memory:'
    // There is one writer, and a database in memory has only one connection.
    const spares = isInMemory ? 0 : 1
    this.#pool = new ConnectionPool(
      () => new WorkerConnection({ file, busyTimeoutMs }, { packsRows: fastReads, startThread }),
      isInMemory ? 1 : readConnections + spares + 2,
    )
    this.#endable = isInMemory
      ? this.#pool
      : new ConnectionPool(
          () => new WorkerConnection({ file, busyTimeoutMs }, { kind: 'process', packsRows: fastReads }),
          readConnections + spares,
          idleProcessMs,
        )
    const isShared = fastReads && !isInMemory
    const shared = {
      statements: isShared && readConnections >= 2 ? 1 : 0,
      transactions: isShared && readConnections >= 4 ? 1 : 0,
    }
    const queries = readConnections - shared.statements - shared.transactions
    this.#admission = new Admission({ queries, changes: 1, records: 1 }, waitMs, {
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
    this.#statementTimeoutMs = statementTimeoutMs
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    options: ReadOptions = {},
  ): Promise<Result> {
    const { workload = 'queries', cancellation, readsViews = false, isolation = 'snapshot' } = options
    const readAlone: ReadAlone = (own, held) =>
      this.#readers(readsViews).use((connection) => {
        const limits = this.#limitsOf(held)
        return isolation === 'statement'
          ? own(connection.limited(limits))
          : readTogether(connection, limits, own)
      }, endRead)
    return readsViews
      ? this.#admission.run(workload, cancellation, (held) => readAlone(work, held))
      : this.#shared.read(work, options, readAlone)
  }

  stream<Result>(
    work: (connection: StreamingConnection) => Promise<Result>,
    { workload = 'queries', cancellation, readsViews = false }: StreamReadOptions = {},
  ): Promise<Result> {
    return this.#admission.run(workload, cancellation, (held) =>
      this.#readers(readsViews).use(
        (connection) => readTogether(connection, this.#limitsOf(held), work),
        endRead,
      ),
    )
  }

  #readers(readsViews: boolean): ConnectionPool {
    return readsViews ? this.#endable : this.#pool
  }

  #limitsOf(cancellation: CancellationToken | undefined): StatementLimits {
    return { timeoutMs: this.#statementTimeoutMs, cancellation }
  }

  async #openShared(): Promise<SharedConnection> {
    const connection = await this.#pool.take()
    try {
      await connection.opened
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
    const timeoutMs = unlimited ? undefined : this.#statementTimeoutMs
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

  usage(): ConnectionUsage {
    return this.#admission.usage()
  }

  async close(): Promise<void> {
    await this.#admission.close()
    this.#shared.close()
    this.#direct.close()
    await Promise.all([this.#pool.close(), this.#endable.close()])
  }
}

/** All statements read the same snapshot: https://www.sqlite.org/isolation.html. A failed one is ended by `endRead`. */
async function readTogether<Result>(
  connection: WorkerConnection,
  limits: StatementLimits,
  work: (connection: StreamingConnection) => Promise<Result>,
): Promise<Result> {
  connection.post('begin')
  const result = await work(connection.limited(limits))
  connection.post('commit')
  return result
}

/** Other statements of a failed read may still run: the next reader must not be ended with them. */
async function endRead(connection: WorkerConnection): Promise<void> {
  await connection.execute('commit').catch(() => undefined)
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
    // The first error is reported; a rollback fails only if there is nothing to roll back.
    await connection.execute('rollback').catch(() => undefined)
    throw error
  }
}

/** While a table is rebuilt, it is briefly absent: https://www.sqlite.org/lang_altertable.html#otheralter */
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
