import pg, { type PoolClient } from 'pg'
import { inTime } from '../../../util/in-time.ts'
import { Semaphore } from '../../../util/semaphore.ts'
import { Admission, extraConnections, type Places, placesOf } from '../../admission.ts'
import { type SharedPlaces, SharedReads } from '../../batching/shared-reads.ts'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Driver, ReadOptions, TransactionOptions } from '../../driver.ts'
import type { Sighting } from '../../silence.ts'
import type { StatementLimits } from '../../supervise.ts'
import { apart } from './apart.ts'
import { Changing } from './changing.ts'
import {
  clientConfig,
  connectTimeoutMs,
  type PostgresqlDriverOptions,
  RowClient,
  settingsOf,
} from './connect.ts'
import { databaseErrorOf } from './error.ts'
import { cancelByKey } from './pooler.ts'
import { Reading } from './reading.ts'
import { Session, type SessionParts } from './session.ts'

/** Connects to a PostgreSQL server, or to the pooler in front of it; further connections are opened as callers come at the same time. */
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

/** One place for queries each is given to connections that are shared, so that much goes over each, where two others are left. */
function sharedOf({ queries }: Places): SharedPlaces {
  return { statements: queries >= 3 ? 1 : 0, transactions: queries >= 4 ? 1 : 0 }
}

/** Whatever the server's default is: a row that is locked is read as it is then. */
const beginChange = 'begin transaction isolation level read committed read write'

/** Whether the statements of a transaction that changes something take as long as they need. */
type ChangeKind = 'limited' | 'unlimited'

const withoutServerLimit = 'set local statement_timeout = 0'

class PostgresqlDriver implements Driver {
  readonly #options: PostgresqlDriverOptions
  readonly #pool: pg.Pool
  readonly #admission: Admission
  /** Connections whose session is set up. */
  readonly #sessions = new WeakMap<PoolClient, Session>()
  readonly #sessionParts: SessionParts
  readonly #shared: SharedReads
  /** Only a few at a time tell the server to end statements, or ask what becomes of them. */
  readonly #cancelling = new Semaphore(2)
  readonly #looking = new Semaphore(4)
  /** Connections that were opened before are not used any more, by `performance.now`. */
  #trustedSince = 0

  constructor(options: PostgresqlDriverOptions, isPooled: boolean) {
    this.#options = options
    this.#sessionParts = {
      isPooled,
      refusesPooler: (options.pooler ?? 'auto') === 'auto',
      takesBytes: options.rowReader !== 'values',
      settings: settingsOf(options, isPooled),
      cancelProcess: (processId) => this.#cancel(processId),
      cancelByKey: (client) => cancelByKey(client, clientConfig(options)),
      look: (processId) => this.#look(processId),
    }
    this.#pool = new pg.Pool({
      ...clientConfig(options),
      max: options.connections + extraConnections,
      Client: RowClient,
    })
    // A connection that is lost while nobody uses it is not used again.
    this.#pool.on('error', () => undefined)
    const places = placesOf(options.connections)
    // Statements one behind the other on one connection would need the settings of all those before.
    const shared = isPooled ? { statements: 0, transactions: 0 } : sharedOf(places)
    const queries = places.queries - shared.statements - shared.transactions
    this.#admission = new Admission({ ...places, queries }, options.waitMs)
    const limits = { timeoutMs: options.statementTimeoutMs, cancellation: undefined }
    this.#shared = new SharedReads({
      admission: this.#admission,
      places: shared,
      open: () => this.#session(limits),
    })
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    options: ReadOptions = {},
  ): Promise<Result> {
    const { single = false } = options
    const timeoutMs = this.#options.statementTimeoutMs
    return this.#shared.read(work, options, (own, cancellation) =>
      this.#readAlone(own, { timeoutMs, cancellation }, single),
    )
  }

  /** Reads on a connection that nobody else has. */
  async #readAlone<Result>(
    work: (connection: Connection) => Promise<Result>,
    limits: StatementLimits,
    isSingle: boolean,
  ): Promise<Result> {
    const reading = new Reading(await this.#session(limits), () => this.#session(limits), limits, isSingle)
    try {
      return await work(reading)
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
      const session = await this.#begin(unlimited ? 'unlimited' : 'limited', limits)
      try {
        const result = await work(new Changing(session, limits))
        await session.command('commit', limits)
        session.release()
        return result
      } catch (error) {
        // The first error is the one to report; where undoing fails the server undoes, once the connection is gone.
        await this.#endTransaction(session, 'rollback')
        throw error
      }
    })
  }

  async close(): Promise<void> {
    await this.#admission.close()
    this.#shared.close()
    await inTime(this.#pool.end(), connectTimeoutMs)
  }

  async #endTransaction(session: Session, text: 'commit' | 'rollback'): Promise<void> {
    try {
      if (session.usable)
        await session.command(text, { timeoutMs: this.#options.statementTimeoutMs, cancellation: undefined })
    } catch {
      session.usable = false
    }
    session.release()
  }

  /** A connection inside a transaction. One that has waited in the pool may be dead: then another is tried, once. */
  async #begin(kind: ChangeKind, limits: StatementLimits): Promise<Session> {
    const session = await this.#session(limits)
    try {
      return await beginOn(session, kind, limits)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.kind === 'unavailable')) throw error
    }
    return beginOn(await this.#session(limits), kind, limits)
  }

  async #session(limits: StatementLimits): Promise<Session> {
    for (;;) {
      const session = await this.#anySession(limits)
      if (session.openedAt >= this.#trustedSince) return session
      session.usable = false
      session.release()
    }
  }

  async #anySession({ timeoutMs = connectTimeoutMs, cancellation }: StatementLimits): Promise<Session> {
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw databaseErrorOf(error)
    }
    const known = this.#sessions.get(client)
    if (known !== undefined) return known
    const session = new Session(client, this.#sessionParts)
    // A connection that is lost in use fails the statement that runs on it; there is nothing else to do.
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

  /** Ends what runs on a connection, over another one. */
  #cancel(processId: number): void {
    const cancel = this.#cancelling.run(() =>
      apart(clientConfig(this.#options), (client) =>
        client.query('select pg_cancel_backend($1)', [processId]),
      ),
    )
    // A server that cannot be reached ends the statement when it notices that the connection is gone.
    cancel.catch(() => undefined)
  }

  /** Asks over another connection; unless the server works, no connection that was opened before is used again. */
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

async function beginOn(session: Session, kind: ChangeKind, limits: StatementLimits): Promise<Session> {
  const begin = session.beginning(beginChange)
  try {
    await session.command(kind === 'unlimited' ? `${begin}; ${withoutServerLimit}` : begin, limits)
    return session
  } catch (error) {
    session.usable = false
    session.release()
    throw error
  }
}

/** Whether a process of the server is there and does something; of one that is not known, only that the server answers. */
async function stateOf(client: pg.Client, processId: number | undefined): Promise<Sighting> {
  if (processId === undefined) {
    await client.query('select 1')
    return 'working'
  }
  const sql =
    "select pid = $1 as asked, state like 'idle%' as idle from pg_stat_activity where pid in ($1, pg_backend_pid())"
  const { rows } = await client.query<{ asked: boolean; idle: boolean | null }>(sql, [processId])
  // A server that does not even show who asks shows nothing.
  if (!rows.some(({ asked }) => !asked)) return 'working'
  const found = rows.find(({ asked }) => asked)
  return found === undefined || found.idle === true ? 'idle' : 'working'
}
