import pg, { type PoolClient } from 'pg'
import type { CancellationToken } from '../../../util/cancellation-token.ts'
import { inTime } from '../../../util/in-time.ts'
import { Semaphore } from '../../../util/semaphore.ts'
import { Admission, extraConnections, type Places, placesOf } from '../../admission.ts'
import { GroupCommit, groupLimits, type Transacted } from '../../batching/group-commit.ts'
import { type SharedPlaces, SharedReads } from '../../batching/shared-reads.ts'
import { DatabaseError } from '../../database-error.ts'
import type {
  Connection,
  ConnectionUsage,
  Driver,
  ReadOptions,
  Statement,
  StreamingConnection,
  StreamReadOptions,
  TransactionOptions,
} from '../../driver.ts'
import { isStale, readOn, staleIfLost } from '../../run-again.ts'
import { serverLimitOf } from '../../server-limit.ts'
import type { Sighting } from '../../silence.ts'
import type { StatementLimits } from '../../supervise.ts'
import { unknownOutcome } from '../../unknown-outcome.ts'
import { apart } from './apart.ts'
import { Changing } from './changing.ts'
import {
  type ConnectionUse,
  clientConfig,
  connectTimeoutMs,
  type PostgresqlDriverOptions,
  RowClient,
  settingsOf,
} from './connect.ts'
import { databaseErrorOf, isUndone } from './error.ts'
import { cancelByKey } from './pooler.ts'
import { Reading } from './reading.ts'
import { DatabaseSession, type SessionParts } from './session.ts'

/**
 * Connects to a PostgreSQL server, or to the pooler in front of it; more connections are opened for concurrent callers.
 */
export async function openPostgresqlDriver(
  options: PostgresqlDriverOptions,
  isPooled = false,
): Promise<Driver> {
  const driver = new PostgresqlDriver(options, isPooled)
  try {
    await driver.read((connection) => connection.query({ sql: 'select 1', parameters: [] }))
  } catch (error) {
    await driver.close()
    throw error
  }
  return driver
}

/**
 * Makes one connection for single statements and one for transactions shared, so that each carries much, if at least
 * two others remain.
 */
function sharedOf({ queries }: Places): SharedPlaces {
  return { statements: queries >= 3 ? 1 : 0, transactions: queries >= 4 ? 1 : 0 }
}

/** Independent of the server's default: locked rows are read in their current state. */
const beginChange = 'begin transaction isolation level read committed read write'

/** Another attempt would take as long. */
function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'timedOut'
}

/** The server has ended a statement for a limit in time. */
function isLate(error: unknown): boolean {
  return isTimeout(error) || (error instanceof DatabaseError && error.kind === 'busy')
}

/** Whether the statements of a read-write transaction have a time limit. */
type ChangeKind = 'limited' | 'unlimited'

const withoutServerLimit = 'set local statement_timeout = 0'

class PostgresqlDriver implements Driver {
  readonly transactAtOnce: Driver['transactAtOnce']
  readonly #options: PostgresqlDriverOptions
  readonly #pool: pg.Pool
  readonly #admission: Admission
  /** Connections whose session is configured. */
  readonly #sessions = new WeakMap<PoolClient, DatabaseSession>()
  readonly #sessionParts: SessionParts
  readonly #shared: SharedReads
  /** Limits concurrent requests to the server to cancel statements, or to look at them. */
  readonly #cancelling = new Semaphore(2)
  readonly #looking = new Semaphore(4)
  /** Connections opened before this time are not used again, by `performance.now`. */
  #trustedSince = 0

  constructor(options: PostgresqlDriverOptions, isPooled: boolean) {
    this.#options = options
    const { fastReads = true } = options
    const places = placesOf(options.connections)
    // Pipelined statements on one connection would depend on the settings of those before.
    const shared = isPooled || !fastReads ? { statements: 0, transactions: 0 } : sharedOf(places)
    const queries = places.queries - shared.statements - shared.transactions
    this.#admission = new Admission({ ...places, queries }, options.waitMs)
    const writes = new GroupCommit({
      admission: this.#admission,
      transact: (statements, use) => this.#transactAtOnce(statements, use),
    })
    this.transactAtOnce =
      fastReads && !isPooled ? (statements, own) => writes.write(statements, own) : undefined
    this.#sessionParts = {
      isPooled,
      refusesPooler: (options.pooler ?? 'auto') === 'auto',
      takesBytes: fastReads,
      settings: settingsOf(options, isPooled),
      prepared: { generation: 0 },
      cancelProcess: (processId) => this.#cancel(processId),
      cancelByKey: (client) => cancelByKey(client, clientConfig(options)),
      look: (processId) => this.#look(processId),
    }
    this.#pool = new pg.Pool({
      ...clientConfig(options),
      max: options.connections + extraConnections,
      Client: RowClient,
    })
    // An idle connection that is lost is not used again.
    this.#pool.on('error', () => undefined)
    const limits = { timeoutMs: options.statementTimeoutMs, cancellation: undefined }
    this.#shared = new SharedReads({
      admission: this.#admission,
      places: shared,
      open: () => this.#session(limits),
    })
  }

  /** Their parameters have the types that the columns had: other values could be stored, or found. */
  tablesChanged(): void {
    this.#sessionParts.prepared.generation += 1
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    options: ReadOptions = {},
  ): Promise<Result> {
    return this.#shared.read(work, options, (own, cancellation) =>
      this.#readAlone((reading) => readOn(reading, own), cancellation, options.isolation),
    )
  }

  stream<Result>(
    work: (connection: StreamingConnection) => Promise<Result>,
    { workload = 'queries', cancellation }: StreamReadOptions = {},
  ): Promise<Result> {
    return this.#admission.run(workload, cancellation, (held) =>
      this.#readAlone(async (reading) => {
        await reading.begin()
        return work(reading)
      }, held),
    )
  }

  /** Reads on a connection that is not shared. */
  async #readAlone<Result>(
    work: (reading: Reading) => Promise<Result>,
    cancellation: CancellationToken | undefined,
    isolation: ReadOptions['isolation'] = 'snapshot',
  ): Promise<Result> {
    const limits = { timeoutMs: this.#options.statementTimeoutMs, cancellation }
    const reading = new Reading(await this.#session(limits), limits, isolation)
    try {
      return await work(reading)
    } catch (error) {
      throw this.#noticed(error)
    } finally {
      this.#admission
        .track(reading.end((session) => this.#endTransaction(session, 'commit')))
        .catch(() => undefined)
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
      const session = await this.#session(limits)
      const begun = this.#begin(session, unlimited ? 'unlimited' : 'limited', limits)
      try {
        const result = await work(new Changing(session, limits))
        const failure = await begun
        if (failure !== undefined) throw failure
        await this.#commit(session, limits)
        session.release()
        return result
      } catch (error) {
        const failure = await begun
        // The first error is reported; if the rollback fails, the server rolls back once the connection is closed.
        await this.#endTransaction(session, 'rollback')
        throw this.#noticed(failure ?? error)
      }
    })
  }

  /** Sends statements that are one transaction, for a caller that is admitted. The server ends them before the program does. */
  async #transactAtOnce(
    statements: readonly Statement[],
    use: Exclude<ConnectionUse, 'usual'>,
  ): Promise<Transacted> {
    const { statementTimeoutMs } = this.#options
    const groupMs = use === 'grouped' ? statements.length * groupLimits.statementMs : 0
    const limits = {
      timeoutMs: serverLimitOf(Math.max(statementTimeoutMs, groupMs)),
      cancellation: undefined,
    }
    const session = await this.#session(limits, use)
    const sentAt = performance.now()
    const took = () => performance.now() - sentAt
    let refusedAt: number | undefined
    try {
      if (!session.takesTransactions) return { milliseconds: 0 }
      const results = await session.transact(statements, { ...limits, use }, (position) => {
        refusedAt = position
      })
      return { results, milliseconds: took() }
    } catch (error) {
      if (!isUndone(error)) throw this.#unknown(error)
      if (use === 'atOnce' && isTimeout(error)) throw error
      // What ends the connection is not the fault of a statement.
      if (refusedAt === undefined || !session.usable) return { milliseconds: took() }
      return { refusal: { at: refusedAt, isLate: isLate(error) }, milliseconds: took() }
    } finally {
      session.release()
    }
  }

  async #commit(session: DatabaseSession, limits: StatementLimits): Promise<void> {
    try {
      await session.command('commit', limits)
    } catch (error) {
      if (isUndone(error)) throw error
      session.usable = false
      throw this.#unknown(error)
    }
  }

  /** The error of a transaction whose end was not answered. Other connections may be lost as well. */
  #unknown(error: unknown): DatabaseError {
    this.#trustedSince = performance.now()
    return unknownOutcome(databaseErrorOf(error))
  }

  usage(): ConnectionUsage {
    return this.#admission.usage()
  }

  async close(): Promise<void> {
    await this.#admission.close()
    this.#shared.close()
    await inTime(this.#pool.end(), connectTimeoutMs)
  }

  /** The same error. If a connection was lost in the pool, no earlier one is used again. */
  #noticed(error: unknown): unknown {
    if (isStale(error)) this.#trustedSince = performance.now()
    return error
  }

  async #endTransaction(session: DatabaseSession, text: 'commit' | 'rollback'): Promise<void> {
    try {
      if (session.usable)
        await session.command(text, { timeoutMs: this.#options.statementTimeoutMs, cancellation: undefined })
    } catch {
      session.usable = false
    }
    session.release()
  }

  /**
   * Begins a transaction. The work in it does not wait for this, so that its first statement is sent together with it; returns why it
   * could not be begun.
   */
  async #begin(session: DatabaseSession, kind: ChangeKind, limits: StatementLimits): Promise<unknown> {
    const begin = session.beginning(beginChange)
    try {
      await session.command(kind === 'unlimited' ? `${begin}; ${withoutServerLimit}` : begin, limits)
      return undefined
    } catch (error) {
      session.usable = false
      return staleIfLost(error)
    }
  }

  async #session(limits: StatementLimits, use: ConnectionUse = 'usual'): Promise<DatabaseSession> {
    for (;;) {
      const session = await this.#anySession(limits)
      if (session.openedAt >= this.#trustedSince) {
        if (use === 'usual') session.use(use)
        return session
      }
      session.usable = false
      session.release()
    }
  }

  async #anySession({
    timeoutMs = connectTimeoutMs,
    cancellation,
  }: StatementLimits): Promise<DatabaseSession> {
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw databaseErrorOf(error)
    }
    const known = this.#sessions.get(client)
    if (known !== undefined) return known
    const session = new DatabaseSession(client, this.#sessionParts)
    // If the connection is lost, its current statement fails; nothing else is to be done.
    client.on('error', () => undefined)
    try {
      await session.setUp({ timeoutMs: Math.min(timeoutMs, connectTimeoutMs), cancellation })
    } catch (error) {
      session.usable = false
      session.release()
      throw error
    }
    this.#sessions.set(client, session)
    return session
  }

  /**
   * Ends a connection and what runs on it, over another one. The server ignores a mere cancellation that arrives between two
   * messages of a statement, such as after its planning.
   */
  #cancel(processId: number): void {
    const cancel = this.#cancelling.run(() =>
      apart(clientConfig(this.#options), (client) =>
        client.query('select pg_terminate_backend($1)', [processId]),
      ),
    )
    // An unreachable server ends the statement when it notices that the connection is lost.
    cancel.catch(() => undefined)
  }

  /** Checks over another connection; unless the server works on the statement, no earlier connection is used again. */
  async #look(processId: number | undefined): Promise<Sighting> {
    const asked = performance.now()
    const looking = this.#looking.run(() =>
      apart(clientConfig(this.#options), (client) => stateOf(client, processId)),
    )
    const seen = await looking.catch(() => 'unreachable' as const)
    if (seen !== 'working') this.#trustedSince = asked
    return seen
  }
}

/**
 * Whether a process of the server exists and works on something; if it is unknown, only whether the server responds.
 */
async function stateOf(client: pg.Client, processId: number | undefined): Promise<Sighting> {
  if (processId === undefined) {
    await client.query('select 1')
    return 'working'
  }
  const sql =
    "select pid = $1 as asked, state like 'idle%' as idle from pg_stat_activity where pid in ($1, pg_backend_pid())"
  const { rows } = await client.query<{ asked: boolean; idle: boolean | null }>(sql, [processId])
  // A server that does not even show our own connection shows nothing.
  if (!rows.some(({ asked }) => !asked)) return 'working'
  const found = rows.find(({ asked }) => asked)
  return found === undefined || found.idle === true ? 'idle' : 'working'
}
