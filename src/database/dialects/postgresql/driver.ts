import pg, { type PoolClient, type QueryArrayConfig } from 'pg'
import { Turnstile } from '../../../util/turnstile.ts'
import { Admission, placesOf } from '../../admission.ts'
import { DatabaseError } from '../../database-error.ts'
import type {
  Connection,
  Driver,
  DriverLimits,
  ReadOptions,
  Row,
  SqlValue,
  Statement,
  StreamOptions,
  TransactionOptions,
} from '../../driver.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { databaseErrorOf, endsConnection } from './error.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { rowTypes } from './row-types.ts'

export interface PostgresqlDriverOptions extends DriverLimits {
  /** Name or address of the server, or the folder of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  /** Name of the database. */
  readonly name: string
  /** Names without a schema are looked for in these, and tables are made in the first. */
  readonly schemas: readonly string[]
  /** Whether the connection is encrypted and the server's certificate checked. */
  readonly tls: boolean
  /** How many connections may be open; at least three. */
  readonly connections: number
}

const connectTimeoutMs = 4000

/** Connects to a PostgreSQL server; further connections are opened as callers come at the same time. */
export async function openPostgresqlDriver(options: PostgresqlDriverOptions): Promise<Driver> {
  const driver = new PostgresqlDriver(options)
  try {
    await driver.read((connection) => connection.query({ sql: 'select 1', parameters: [] }))
  } catch (error) {
    await driver.close()
    throw error
  }
  return driver
}

function clientConfig({ host, port, user, password, name, tls }: PostgresqlDriverOptions): pg.ClientConfig {
  return {
    host,
    port,
    user,
    ...(password === undefined ? {} : { password }),
    database: name,
    ...(tls ? { ssl: true } : {}),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    pipeline: true,
    application_name: 'gatehouse',
  }
}

/** Independent of how the server is configured: UTC, texts in the forms that are read, and the schemas. */
function sessionSettings(schemas: readonly string[]): string {
  return [
    "set time zone 'UTC'",
    "set datestyle = 'ISO, YMD'",
    "set intervalstyle = 'postgres'",
    "set bytea_output = 'hex'",
    'set extra_float_digits = 1',
    'set standard_conforming_strings = on',
    'set statement_timeout = 0',
    `set search_path = ${schemas.map(standardSyntax.quoteIdentifier).join(', ')}`,
  ].join('; ')
}

class PostgresqlDriver implements Driver {
  readonly #options: PostgresqlDriverOptions
  readonly #pool: pg.Pool
  readonly #admission: Admission
  /** Connections whose session is set up. */
  readonly #sessions = new WeakMap<PoolClient, Session>()
  /** Only a few at a time tell the server to end statements. */
  readonly #cancelling = new Turnstile(2)

  constructor(options: PostgresqlDriverOptions) {
    this.#options = options
    this.#pool = new pg.Pool({ ...clientConfig(options), max: options.connections })
    // A connection that is lost while nobody uses it is not used again.
    this.#pool.on('error', () => undefined)
    this.#admission = new Admission(placesOf(options.connections), options.waitMs)
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    { lane = 'queries', signal }: ReadOptions = {},
  ): Promise<Result> {
    const limits = { timeoutMs: this.#options.statementTimeoutMs, signal }
    return this.#admission.run(lane, signal, async () => {
      const session = await this.#begin(beginRead, limits)
      try {
        return await work(session.connection(limits, 'reading'))
      } finally {
        this.#admission.track(this.#endRead(session)).catch(() => undefined)
      }
    })
  }

  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    { unlimited = false }: TransactionOptions = {},
  ): Promise<Result> {
    const limits = {
      timeoutMs: unlimited ? undefined : this.#options.statementTimeoutMs,
      signal: undefined,
    }
    return this.#admission.run('changes', undefined, async () => {
      const session = await this.#begin('begin', limits)
      try {
        const result = await work(session.connection(limits, 'changing'))
        await session.run({ text: 'commit' }, limits)
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
    await this.#pool.end()
  }

  #endRead(session: Session): Promise<void> {
    return this.#endTransaction(session, 'commit')
  }

  async #endTransaction(session: Session, text: 'commit' | 'rollback'): Promise<void> {
    try {
      if (session.usable)
        await session.run({ text }, { timeoutMs: this.#options.statementTimeoutMs, signal: undefined })
    } catch {
      session.usable = false
    }
    session.release()
  }

  /** A connection inside a transaction. One that has waited in the pool may be dead: then another is tried, once. */
  async #begin(text: string, limits: StatementLimits): Promise<Session> {
    try {
      return await this.#beginOnce(text, limits)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.kind === 'unavailable')) throw error
    }
    return this.#beginOnce(text, limits)
  }

  async #beginOnce(text: string, limits: StatementLimits): Promise<Session> {
    const session = await this.#session(limits)
    try {
      await session.run({ text }, limits)
      return session
    } catch (error) {
      session.usable = false
      session.release()
      throw error
    }
  }

  async #session(limits: StatementLimits): Promise<Session> {
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw databaseErrorOf(error)
    }
    const known = this.#sessions.get(client)
    if (known !== undefined) return known
    const session = new Session(client, (processId) => this.#cancel(processId))
    // A connection that is lost in use fails the statement that runs on it; there is nothing else to do.
    client.on('error', () => undefined)
    try {
      await session.setUp(sessionSettings(this.#options.schemas), limits)
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#sessions.set(client, session)
    return session
  }

  /** Ends what runs on a connection, over another one. */
  #cancel(processId: number): void {
    const cancel = this.#cancelling.run(async () => {
      const client = new pg.Client(clientConfig(this.#options))
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.query('select pg_cancel_backend($1)', [processId])
      } finally {
        await client.end()
      }
    })
    // A server that cannot be reached ends the statement when it notices that the connection is gone.
    cancel.catch(() => undefined)
  }
}

/** One connection of the pool, with its settings made. */
class Session {
  readonly #client: PoolClient
  readonly #cancel: (processId: number) => void
  readonly #prepared = new PreparedStatements()
  #processId = 0
  /** False when what is on the connection is in doubt; then it is not used again. */
  usable = true

  constructor(client: PoolClient, cancel: (processId: number) => void) {
    this.#client = client
    this.#cancel = cancel
  }

  async setUp(settings: string, limits: StatementLimits): Promise<void> {
    await this.run({ text: settings }, limits)
    const [row] = await this.run({ text: 'select pg_backend_pid()' }, limits)
    this.#processId = Number(row?.[0])
  }

  connection(limits: StatementLimits, purpose: Purpose): PostgresqlConnection {
    return new PostgresqlConnection(this, limits, purpose)
  }

  nameOf(sql: string): string {
    return this.#prepared.nameOf(sql, this.#client)
  }

  async run(query: Omit<QueryArrayConfig, 'rowMode'>, limits: StatementLimits): Promise<readonly Row[]> {
    return (await this.result(query, limits)).rows
  }

  async result(
    query: Omit<QueryArrayConfig, 'rowMode'>,
    limits: StatementLimits,
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }> {
    try {
      return await supervise(
        () => this.#client.query<SqlValue[]>({ ...query, rowMode: 'array', types: rowTypes }),
        limits,
        () => this.#abandon(),
      )
    } catch (error) {
      if (endsConnection(error)) this.usable = false
      throw databaseErrorOf(error)
    }
  }

  #abandon(): void {
    this.usable = false
    if (this.#processId > 0) this.#cancel(this.#processId)
  }

  release(): void {
    this.#client.release(!this.usable)
  }
}

type Purpose = 'reading' | 'changing'

/** A statement that fails ends a transaction; a read goes on, with the state of the data that it began with. */
const beginRead = 'begin transaction isolation level repeatable read read only; savepoint gatehouse_read'

class PostgresqlConnection implements Connection {
  readonly #session: Session
  readonly #limits: StatementLimits
  readonly #purpose: Purpose
  #cursors = 0

  constructor(session: Session, limits: StatementLimits, purpose: Purpose) {
    this.#session = session
    this.#limits = limits
    this.#purpose = purpose
  }

  async query({ sql, parameters }: Statement): Promise<readonly Row[]> {
    return this.#run({ name: this.#session.nameOf(sql), text: sql, values: parameters.map(bound) })
  }

  async #run(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<readonly Row[]> {
    try {
      return await this.#session.run(query, this.#limits)
    } catch (error) {
      if (this.#purpose === 'reading' && this.#session.usable) {
        await this.#session.run({ text: 'rollback to savepoint gatehouse_read' }, this.#limits)
      }
      throw error
    }
  }

  /** By a cursor of the server's, which lives as long as the transaction. */
  async *stream({ sql, parameters }: Statement, { pieceRows }: StreamOptions): AsyncIterable<readonly Row[]> {
    this.#cursors += 1
    const cursor = `gatehouse_rows_${this.#cursors}`
    const declare = `declare ${cursor} no scroll cursor for ${sql}`
    await this.#run({ text: declare, values: parameters.map(bound) })
    for (;;) {
      const rows = await this.#run({ text: `fetch ${pieceRows} from ${cursor}` })
      if (rows.length > 0) yield rows
      if (rows.length < pieceRows) break
    }
    await this.#run({ text: `close ${cursor}` })
  }

  async execute({ sql, parameters }: Statement): Promise<number> {
    const { rowCount } = await this.#session.result(
      { text: sql, values: parameters.map(bound) },
      this.#limits,
    )
    return rowCount ?? 0
  }
}

function bound(value: SqlValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value === null ? null : String(value)
}
