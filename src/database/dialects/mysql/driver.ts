import {
  type Connection as Asked,
  createPool,
  type Pool,
  type PoolConnection,
  type RowDataPacket,
} from 'mysql2/promise'
import { inTime } from '../../../util/in-time.ts'
import { Semaphore } from '../../../util/semaphore.ts'
import { Admission, extraConnections, placesOf } from '../../admission.ts'
import type {
  Connection,
  ConnectionUsage,
  Driver,
  ReadOptions,
  ServerDriverSettings,
  StreamingConnection,
  StreamReadOptions,
  TransactionOptions,
} from '../../driver.ts'
import { isStale, readOn, staleIfLost } from '../../run-again.ts'
import type { Sighting } from '../../silence.ts'
import type { StatementLimits } from '../../supervise.ts'
import { unknownOutcome } from '../../unknown-outcome.ts'
import { apart, cut } from './apart.ts'
import { MysqlConnection } from './connection.ts'
import { connectionOptions, connectTimeoutMs } from './connection-options.ts'
import { databaseErrorOf, isUndone } from './error.ts'
import { DatabaseSession, type SessionParts, withoutServerLimit } from './session.ts'
import { type Purpose, SessionMode, sessionSettings } from './session-settings.ts'

const preparedLimit = 256

/**
 * Connects to a MySQL or MariaDB server; more connections are opened for concurrent callers. `serverMode` is SQL for
 * the `sql_mode` of the server.
 */
export async function openMysqlDriver(
  options: ServerDriverSettings,
  serverMode = '@@global.sql_mode',
): Promise<Driver> {
  const driver = new MysqlDriver(options, serverMode)
  try {
    await driver.read((connection) => connection.query({ sql: 'select 1', parameters: [] }))
  } catch (error) {
    await driver.close()
    throw error
  }
  return driver
}

function poolOf(options: ServerDriverSettings): Pool {
  return createPool({
    ...connectionOptions(options),
    connectionLimit: options.connections + extraConnections,
    maxPreparedStatements: preparedLimit,
    charset: 'utf8mb4',
    timezone: 'Z',
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    flags: ['-LOCAL_FILES'],
    // Stack traces, useful only for the few statements that fail, would cost more than most statements.
    trace: false,
  })
}

const beginRead = 'start transaction read only'

/** What a connection is used for, and the statement that is run on it before; undefined if none is needed. */
interface Beginning {
  readonly purpose: Purpose
  readonly sqlFor: (raw: object) => string | undefined
}

/** What is known of a connection in the pool. */
interface KnownConnection {
  /** When it was first taken, by `performance.now`. */
  readonly openedAt: number
  /** Whether its session is configured. */
  isReady: boolean
  readonly mode: SessionMode
}

class MysqlDriver implements Driver {
  readonly #options: ServerDriverSettings
  readonly #serverMode: string
  readonly #pool: Pool
  readonly #admission: Admission
  readonly #known = new WeakMap<object, KnownConnection>()
  /** Connections that were first taken before this time are not used again, by `performance.now`. */
  #trustedSince = 0
  /** Connections in a transaction in which nothing was read yet, so that the next reader need not begin one. */
  readonly #inFreshTransaction = new WeakSet<object>()
  /** Limits concurrent requests to the server to cancel statements, or to look at them. */
  readonly #cancelling = new Semaphore(2)
  readonly #looking = new Semaphore(4)
  readonly #sessionParts: SessionParts = {
    kill: (threadId) => this.#kill(threadId),
    killStatement: (threadId) => this.#fromOutside(`kill query ${threadId}`),
    look: (threadId) => this.#look(threadId),
    forgetSettings: (connection) => {
      this.#knownOf(connection).isReady = false
    },
  }

  constructor(options: ServerDriverSettings, serverMode: string) {
    this.#options = options
    this.#serverMode = serverMode
    this.#pool = poolOf(options)
    this.#admission = new Admission(placesOf(options.connections), options.waitMs)
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    { workload = 'queries', cancellation, isolation = 'snapshot' }: ReadOptions = {},
  ): Promise<Result> {
    return this.#admission.run(workload, cancellation, (held) => {
      const limits = { timeoutMs: this.#options.statementTimeoutMs, cancellation: held }
      return isolation === 'statement' ? this.#readEach(work, limits) : this.#readSnapshot(work, limits)
    })
  }

  stream<Result>(
    work: (connection: StreamingConnection) => Promise<Result>,
    { workload = 'queries', cancellation }: StreamReadOptions = {},
  ): Promise<Result> {
    return this.#admission.run(workload, cancellation, (held) =>
      this.#inSnapshot(
        (connection) => work(connection),
        { timeoutMs: this.#options.statementTimeoutMs, cancellation: held },
        { mayBeStale: false },
      ),
    )
  }

  /** All statements read the same snapshot of the data, that of the first one. */
  #readSnapshot<Result>(
    work: (connection: Connection) => Promise<Result>,
    limits: StatementLimits,
  ): Promise<Result> {
    return this.#inSnapshot((connection) => readOn(connection, work), limits, { mayBeStale: true })
  }

  /** With `mayBeStale` a connection is taken as it is if it is in a transaction in which nothing was read; else it is tried first. */
  async #inSnapshot<Result>(
    work: (connection: MysqlConnection) => Promise<Result>,
    limits: StatementLimits,
    { mayBeStale }: { readonly mayBeStale: boolean },
  ): Promise<Result> {
    const sqlFor = (raw: object) =>
      this.#inFreshTransaction.delete(raw) && mayBeStale ? undefined : beginRead
    const session = await this.#begin({ purpose: 'reading', sqlFor }, limits)
    try {
      return await work(new MysqlConnection(session, limits, mayBeStale))
    } catch (error) {
      throw this.#noticed(error)
    } finally {
      this.#admission.track(this.#end(session, 'commit and chain')).catch(() => undefined)
    }
  }

  /** Each statement reads the latest state, which needs no transaction: a connection in one ends it first. */
  async #readEach<Result>(
    work: (connection: Connection) => Promise<Result>,
    limits: StatementLimits,
  ): Promise<Result> {
    const sqlFor = (raw: object) => (this.#inFreshTransaction.delete(raw) ? 'commit' : undefined)
    const session = await this.#begin({ purpose: 'reading', sqlFor }, limits)
    try {
      return await readOn(new MysqlConnection(session, limits, true), work)
    } catch (error) {
      throw this.#noticed(error)
    } finally {
      session.release()
    }
  }

  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    { unlimited = false, cancellation }: TransactionOptions = {},
  ): Promise<Result> {
    const limits = {
      timeoutMs: unlimited ? undefined : this.#options.statementTimeoutMs,
      cancellation: undefined,
    }
    return this.#admission.run(unlimited ? 'tables' : 'changes', cancellation, async () => {
      // If the connection is already in a transaction, this ends it.
      const sqlFor = (raw: object) => {
        this.#inFreshTransaction.delete(raw)
        // Otherwise MySQL would keep the read-only mode of the previous transaction.
        return 'start transaction read write'
      }
      const session = await this.#begin({ purpose: 'changing', sqlFor }, limits)
      try {
        const result = await work(new MysqlConnection(session, limits))
        await this.#commit(session, limits)
        session.release()
        return result
      } catch (error) {
        // The first error is reported; if the rollback fails, the server rolls back once the connection is closed.
        await this.#end(session, 'rollback')
        throw error
      }
    })
  }

  async #commit(session: DatabaseSession, limits: StatementLimits): Promise<void> {
    try {
      await session.run((pooled) => pooled.query('commit'), limits)
    } catch (error) {
      const known = databaseErrorOf(error)
      if (isUndone(known)) throw known
      session.usable = false
      throw unknownOutcome(known)
    }
  }

  usage(): ConnectionUsage {
    return this.#admission.usage()
  }

  async close(): Promise<void> {
    await this.#admission.close()
    await inTime(this.#pool.end(), connectTimeoutMs)
  }

  /** The same error. If a connection was lost in the pool, no earlier one is used again. */
  #noticed(error: unknown): unknown {
    if (isStale(error)) this.#trustedSince = performance.now()
    return error
  }

  async #end(session: DatabaseSession, sql: 'commit and chain' | 'rollback'): Promise<void> {
    const limits = { timeoutMs: this.#options.statementTimeoutMs, cancellation: undefined }
    try {
      if (session.usable) await session.run((pooled) => pooled.query(sql), limits)
      if (sql === 'commit and chain') this.#inFreshTransaction.add(session.plain)
    } catch {
      session.usable = false
    }
    session.release()
  }

  /** A connection on which the statement of `beginning` has run. */
  async #begin(beginning: Beginning, limits: StatementLimits): Promise<DatabaseSession> {
    const pooled = await this.#connection()
    try {
      return await this.#beginOn(pooled, beginning, limits)
    } catch (error) {
      throw this.#noticed(staleIfLost(databaseErrorOf(error)))
    }
  }

  async #beginOn(
    pooled: PoolConnection,
    beginning: Beginning,
    limits: StatementLimits,
  ): Promise<DatabaseSession> {
    const session = new DatabaseSession(pooled, this.#sessionParts)
    try {
      const known = this.#knownOf(pooled.connection)
      const { statementTimeoutMs } = this.#options
      const soon = { ...limits, timeoutMs: Math.min(connectTimeoutMs, statementTimeoutMs) }
      const runSoon = async (sql: string) => {
        const [rows] = await session.run(() => pooled.query<RowDataPacket[]>(sql), soon)
        return rows
      }
      if (!known.isReady) {
        for (const setting of sessionSettings(statementTimeoutMs)) await runSoon(setting)
        known.isReady = true
      }
      await known.mode.set(beginning.purpose, runSoon)
      if (limits.timeoutMs === undefined) {
        await session.run(() => pooled.query(withoutServerLimit), limits)
        session.forgetSettings()
      }
      const sql = beginning.sqlFor(session.plain)
      if (sql !== undefined) await session.run(() => pooled.query(sql), limits)
      return session
    } catch (error) {
      session.usable = false
      session.release()
      throw error
    }
  }

  async #connection(): Promise<PoolConnection> {
    try {
      for (;;) {
        const pooled = await this.#pool.getConnection()
        if (this.#knownOf(pooled.connection).openedAt >= this.#trustedSince) return pooled
        pooled.destroy()
        cut(pooled)
      }
    } catch (error) {
      throw databaseErrorOf(error)
    }
  }

  #knownOf(connection: object): KnownConnection {
    let known = this.#known.get(connection)
    if (known === undefined) {
      known = { openedAt: performance.now(), isReady: false, mode: new SessionMode(this.#serverMode) }
      this.#known.set(connection, known)
    }
    return known
  }

  /** Closes a connection and ends its statement, over another connection. */
  #kill(threadId: number): void {
    // An unreachable server ends the statement when it notices that the connection is lost.
    this.#fromOutside(`kill ${threadId}`).catch(() => undefined)
  }

  /** Runs a statement that cancels another one, over another connection. */
  async #fromOutside(sql: string): Promise<void> {
    await this.#cancelling.run(() =>
      apart(connectionOptions(this.#options), (connection) => connection.query(sql)),
    )
  }

  /** Checks over another connection; unless the server works on the statement, no earlier connection is used again. */
  async #look(threadId: number): Promise<Sighting> {
    const asked = performance.now()
    const looking = this.#looking.run(() =>
      apart(connectionOptions(this.#options), (connection) => stateOf(connection, threadId)),
    )
    const seen = await looking.catch(() => 'unreachable' as const)
    if (seen !== 'working') this.#trustedSince = asked
    return seen
  }
}

/** Whether the server has the connection and works on something for it. */
async function stateOf(connection: Asked, threadId: number): Promise<Sighting> {
  const sql = `select id as session, command as doing, id = connection_id() as asks from information_schema.processlist
where id in (${threadId}, connection_id())`
  const [rows] = await connection.query<RowDataPacket[]>(sql)
  // Behind a proxy, connections have other numbers than in the server, so they prove nothing.
  if (!rows.some(({ session, asks }) => asks && session === connection.threadId)) return 'working'
  const found = rows.find(({ session }) => session === threadId)
  return found === undefined || found.doing === 'Sleep' ? 'idle' : 'working'
}
