import pg, { type PoolClient, type QueryArrayConfig } from 'pg'
import { Turnstile } from '../../../util/turnstile.ts'
import { Admission, placesOf, tableConnections } from '../../admission.ts'
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
import { ListedRows, listOf, type RowSet } from '../../row-set.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { databaseErrorOf, endsConnection } from './error.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { RowConnection } from './row-connection.ts'
import { type Answered, RowQuery, type RowRequest } from './row-query.ts'
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
  /** Who reads rows that are passed on: `bytes` is our own reader, `values` the one of `pg`. */
  readonly rowReader?: 'bytes' | 'values'
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

/** What every connection to the server is made with. */
export function clientConfig({
  host,
  port,
  user,
  password,
  name,
  tls,
}: PostgresqlDriverOptions): pg.ClientConfig {
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
    // Whatever is to change something says so.
    'set default_transaction_read_only = on',
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
    this.#pool = new pg.Pool({
      ...clientConfig(options),
      max: options.connections + tableConnections,
      Client: RowClient,
    })
    // A connection that is lost while nobody uses it is not used again.
    this.#pool.on('error', () => undefined)
    this.#admission = new Admission(placesOf(options.connections), options.waitMs)
  }

  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    { lane = 'queries', signal, single = false }: ReadOptions = {},
  ): Promise<Result> {
    const limits = { timeoutMs: this.#options.statementTimeoutMs, signal }
    return this.#admission.run(lane, signal, async () => {
      const reading = new Reading(await this.#session(limits), () => this.#session(limits), limits, single)
      try {
        return await work(reading)
      } finally {
        this.#admission.track(this.#endRead(reading)).catch(() => undefined)
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
    return this.#admission.run(unlimited ? 'tables' : 'changes', undefined, async () => {
      const session = await this.#begin('begin read write', limits)
      try {
        const result = await work(new Changing(session, limits))
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

  async #endRead(reading: Reading): Promise<void> {
    const { session, inTransaction } = reading
    if (inTransaction) await this.#endTransaction(session, 'commit')
    else session.release()
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
    const takesBytes = this.#options.rowReader !== 'values'
    const session = new Session(client, takesBytes, (processId) => this.#cancel(processId))
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

/** A client whose connection gives rows as bytes to those who want them so. */
class RowClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const { ssl, keepAlive } = config
    const connection = new RowConnection({ ssl, keepAlive } as pg.ConnectionConfig)
    super({ ...config, connection } as pg.ClientConfig)
  }
}

type BoundValues = readonly (string | Buffer | null)[]

/** An open list of rows by its name, and how many of them are asked for at a time. */
interface OpenRows {
  readonly name: string
  readonly sql: string
  readonly pieceRows: number
}

interface Piece {
  readonly rows: RowSet
  readonly isComplete: boolean
}

/** One connection of the pool, with its settings made. */
class Session {
  readonly #client: PoolClient
  readonly #cancel: (processId: number) => void
  readonly #prepared = new PreparedStatements()
  #processId = 0
  #takesBytes: boolean
  /** False when what is on the connection is in doubt; then it is not used again. */
  usable = true

  constructor(client: PoolClient, takesBytes: boolean, cancel: (processId: number) => void) {
    this.#client = client
    this.#cancel = cancel
    this.#takesBytes = takesBytes
  }

  async setUp(settings: string, limits: StatementLimits): Promise<void> {
    await this.run({ text: settings }, limits)
    const [row] = await this.run(
      { text: "select pg_backend_pid(), current_setting('server_encoding')" },
      limits,
    )
    this.#processId = Number(row?.[0])
    // Such a database holds bytes that are no text in any encoding.
    if (row?.[1] === 'SQL_ASCII') this.#takesBytes = false
  }

  /** Runs a statement by its prepared form. */
  async select(sql: string, values: BoundValues, limits: StatementLimits): Promise<RowSet> {
    return this.#prepare(sql, async (name) => {
      if (!this.#takesBytes)
        return new ListedRows(await this.run({ name, text: sql, values: [...values] }, limits))
      return (await this.#ask({ name, text: sql, values }, limits)).rows
    })
  }

  /** A statement that was prepared for another schema is prepared anew the next time. */
  async #prepare<Result>(sql: string, work: (name: string) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#prepared.nameOf(sql, this.#client))
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'schemaChanged') {
        this.#prepared.forget(sql, this.#client)
      }
      throw error
    }
  }

  async execute({ sql, parameters }: Statement, limits: StatementLimits): Promise<number> {
    const { rowCount } = await this.result({ text: sql, values: parameters.map(bound) }, limits)
    return rowCount ?? 0
  }

  /** Opens a list of rows that lives as long as the transaction, and gives its first ones. */
  async openRows(
    { name, sql, values, pieceRows }: OpenRows & { readonly values: BoundValues },
    limits: StatementLimits,
  ): Promise<{ readonly first: Piece }> {
    if (this.#takesBytes) {
      const piece = { portal: name, rows: pieceRows }
      return this.#prepare(sql, async (statement) => ({
        first: await this.#ask({ name: statement, text: sql, values, piece }, limits),
      }))
    }
    await this.run({ text: `declare ${name} no scroll cursor for ${sql}`, values: [...values] }, limits)
    return { first: await this.moreRows({ name, sql, pieceRows }, limits) }
  }

  /** The next rows of an open list. */
  async moreRows({ name, sql, pieceRows }: OpenRows, limits: StatementLimits): Promise<Piece> {
    if (this.#takesBytes) {
      const statement = this.#prepared.nameOf(sql, this.#client)
      return this.#ask({ name: statement, text: sql, piece: { portal: name, rows: pieceRows } }, limits)
    }
    const rows = await this.run({ text: `fetch ${pieceRows} from ${name}` }, limits)
    return { rows: new ListedRows(rows), isComplete: rows.length < pieceRows }
  }

  async closeRows(name: string, limits: StatementLimits): Promise<void> {
    await this.run({ text: `close ${name}` }, limits)
  }

  #ask(request: RowRequest, limits: StatementLimits): Promise<Answered> {
    return this.#supervised(
      () =>
        new Promise((resolve, reject) => {
          const done = (error: Error | undefined, answered?: Answered) =>
            answered === undefined ? reject(error) : resolve(answered)
          this.#client.query(new RowQuery(request, done))
        }),
      limits,
    )
  }

  async run(query: Omit<QueryArrayConfig, 'rowMode'>, limits: StatementLimits): Promise<readonly Row[]> {
    return (await this.result(query, limits)).rows
  }

  async result(
    query: Omit<QueryArrayConfig, 'rowMode'>,
    limits: StatementLimits,
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }> {
    return this.#supervised(
      () => this.#client.query<SqlValue[]>({ ...query, rowMode: 'array', types: rowTypes }),
      limits,
    )
  }

  async #supervised<Result>(work: () => Promise<Result>, limits: StatementLimits): Promise<Result> {
    try {
      return await supervise(work, limits, () => this.#abandon())
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

const beginRead = 'begin transaction isolation level repeatable read read only; savepoint gatehouse_read'

/** A connection while somebody reads: in a transaction, unless there is only one statement. */
class Reading implements Connection {
  readonly #another: () => Promise<Session>
  readonly #limits: StatementLimits
  #session: Session
  /** Whether the next statement is to begin a transaction. */
  #isToBegin: boolean
  #isFirst = true
  #inTransaction = false
  #streams = 0

  constructor(session: Session, another: () => Promise<Session>, limits: StatementLimits, isSingle: boolean) {
    this.#session = session
    this.#another = another
    this.#limits = limits
    this.#isToBegin = !isSingle
  }

  get session(): Session {
    return this.#session
  }

  get inTransaction(): boolean {
    return this.#inTransaction
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement): Promise<RowSet> {
    return this.#run((session) => session.select(sql, parameters.map(bound), this.#limits))
  }

  async *stream({ sql, parameters }: Statement, { pieceRows }: StreamOptions): AsyncIterable<RowSet> {
    this.#isToBegin = !this.#inTransaction
    this.#streams += 1
    const name = `gatehouse_rows_${this.#streams}`
    const limits = this.#limits
    const rows = await this.#run((session) =>
      session.openRows({ name, sql, values: parameters.map(bound), pieceRows }, limits),
    )
    let piece = rows.first
    for (;;) {
      if (piece.rows.length > 0) yield piece.rows
      if (piece.isComplete) break
      piece = await this.#run((session) => session.moreRows({ name, sql, pieceRows }, limits))
    }
    await this.#run((session) => session.closeRows(name, limits))
  }

  execute(statement: Statement): Promise<number> {
    return this.#run((session) => session.execute(statement, this.#limits))
  }

  async #run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#isFirst) {
      this.#isFirst = false
      return this.#runFirst(work)
    }
    const session = this.#session
    try {
      return await this.#begun(session, work)
    } catch (error) {
      await this.#recover(session)
      throw error
    }
  }

  /** A connection that has waited in the pool may be dead: then another is tried, once. */
  async #runFirst<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = this.#session
    const isToBegin = this.#isToBegin
    try {
      return await this.#begun(session, work)
    } catch (error) {
      const isDead = error instanceof DatabaseError && error.kind === 'unavailable' && !session.usable
      if (!isDead) {
        await this.#recover(session)
        throw error
      }
    }
    session.release()
    this.#session = await this.#another()
    this.#isToBegin = isToBegin
    return this.#begun(this.#session, work)
  }

  /** Where a transaction is to begin, that goes out together with its first statement. */
  async #begun<Result>(session: Session, work: (session: Session) => Promise<Result>): Promise<Result> {
    if (!this.#isToBegin) return work(session)
    this.#isToBegin = false
    this.#inTransaction = true
    const [, result] = await Promise.all([session.run({ text: beginRead }, this.#limits), work(session)])
    return result
  }

  /** A statement that fails ends a transaction; a read goes on, with the state of the data that it began with. */
  async #recover(session: Session): Promise<void> {
    if (this.#inTransaction && session.usable)
      await session.run({ text: 'rollback to savepoint gatehouse_read' }, this.#limits)
  }
}

/** A connection inside a transaction that changes something. */
class Changing implements Connection {
  readonly #session: Session
  readonly #limits: StatementLimits

  constructor(session: Session, limits: StatementLimits) {
    this.#session = session
    this.#limits = limits
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement): Promise<RowSet> {
    return this.#session.select(sql, parameters.map(bound), this.#limits)
  }

  // biome-ignore lint/correctness/useYield: there is nothing to give.
  async *stream(): AsyncIterable<RowSet> {
    throw new DatabaseError('statement', 'Rows come in pieces only while reading.')
  }

  execute(statement: Statement): Promise<number> {
    return this.#session.execute(statement, this.#limits)
  }
}

function bound(value: SqlValue): string | Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value === null ? null : String(value)
}
