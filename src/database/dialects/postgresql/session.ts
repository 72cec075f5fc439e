import pg, { type PoolClient, type QueryArrayConfig, type QueryArrayResult } from 'pg'
import { BoundedRows } from '../../bounded-rows.ts'
import type { DatabaseError } from '../../database-error.ts'
import type { SelectOptions, Statement } from '../../driver.ts'
import type { ListedRows, RowSet } from '../../row-set.ts'
import type { Listened, Sighting } from '../../silence.ts'
import type { Row, SqlValue } from '../../sql-value.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import type { ConnectionUse, Settings } from './connect.ts'
import { databaseErrorOf, endsConnection, errorOfPrepared, isOfFailedTransaction } from './error.ts'
import { socketOf } from './pg-internals.ts'
import { isOther, refusePooler } from './pooler.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { valueTypes } from './value-types.ts'
import type { BoundValues } from './wire-reader/bound-values.ts'
import type { QueryResult } from './wire-reader/packed-result.ts'
import { type RowConnection, rowConnectionOf } from './wire-reader/row-connection.ts'
import type { RowRequest } from './wire-reader/row-request.ts'

/** Begins a transaction whose statements read the same snapshot. */
export const beginRead = 'begin transaction isolation level repeatable read read only'

/** The name of the statement that exists until the next one is prepared. */
const unnamed = ''

/** Longer texts, such as those that insert many rows, are seldom used again. */
const longestPrepared = 5000

/** After a longer time without a use, in milliseconds, a connection is used before it is relied on. */
const longestQuietMs = 1000

/** An open portal by its name, and how many rows are fetched at a time. */
interface OpenRows {
  readonly name: string
  readonly sql: string
  readonly pieceRows: number
  /** The limit in bytes for a piece; rows after it are dropped. */
  readonly mostBytes: number | undefined
}

interface Piece {
  readonly rows: RowSet
  readonly isComplete: boolean
}

/** What the sessions of one driver share. */
export interface SessionParts {
  /** Whether a pooler is in front of the server: nothing may remain on the connection after a transaction. */
  readonly isPooled: boolean
  /** Whether a pooler that was not there at the start is refused. */
  readonly refusesPooler: boolean
  readonly takesBytes: boolean
  readonly settings: Settings
  /**
   * Grows when a prepared statement no longer fits its tables: then no session uses those that it had prepared before, so that
   * each of them does not fail once more.
   */
  readonly prepared: { generation: number }
  /** Cancels what runs in a process of the server. */
  cancelProcess(processId: number): void
  /**
   * Cancels what runs on a connection through a pooler; resolved when the pooler has received it, within a time limit.
   */
  cancelByKey(client: PoolClient): Promise<void>
  /**
   * What the server does in one of its processes, or whether it is reachable if the process is unknown; never fails.
   */
  look(processId: number | undefined): Promise<Sighting>
}

/** A pooled connection, with its settings made. */
export class DatabaseSession {
  readonly #client: PoolClient
  readonly #connection: RowConnection
  readonly #parts: SessionParts
  readonly #prepared = new PreparedStatements()
  #hasPortal = false
  #processId = 0
  #use: ConnectionUse = 'usual'
  #takesBytes: boolean
  #cancelling: Promise<void> | undefined
  /** The last one, but for those of the statements behind it in its transaction. */
  #failure: DatabaseError | undefined
  readonly #listened: Listened = {
    heard: () => socketOf(this.#connection).bytesRead,
    look: () => this.#parts.look(this.#processId > 0 ? this.#processId : undefined),
  }
  /** When it was opened, by `performance.now`. */
  readonly openedAt = performance.now()
  /** When the server last responded to a request that was waited for. */
  #respondedAt = this.openedAt
  /** False if the state of the connection is uncertain; then it is not used again. */
  usable = true

  constructor(client: PoolClient, parts: SessionParts) {
    this.#client = client
    this.#connection = rowConnectionOf(client)
    this.#parts = parts
    this.#takesBytes = parts.takesBytes
  }

  /** Whether statements must run in transactions. */
  get isPooled(): boolean {
    return this.#parts.isPooled
  }

  async setUp(limits: StatementLimits): Promise<void> {
    const [row] = await this.run(
      { text: "select pg_backend_pid(), current_setting('server_encoding')" },
      limits,
    )
    const { isPooled, refusesPooler, settings } = this.#parts
    // Such a database contains bytes that are not text in any encoding.
    if (row?.[1] === 'SQL_ASCII') this.#takesBytes = false
    if (isPooled) return
    this.#processId = Number(row?.[0])
    if (refusesPooler && isOther(this.#processId, this.#client)) refusePooler()
    if (settings.ofConnection !== undefined) await this.run({ text: settings.ofConnection }, limits)
  }

  /** SQL that begins a transaction, with its settings. */
  beginning(text: string): string {
    this.#hasPortal = false
    const { ofTransaction } = this.#parts.settings
    return ofTransaction === undefined ? text : `${text}; ${ofTransaction}`
  }

  /** Runs a statement as a prepared statement. */
  async select(
    sql: string,
    values: BoundValues,
    limits: StatementLimits,
    mostBytes?: number,
  ): Promise<RowSet> {
    return this.#prepare(sql, async (name) => {
      if (!this.#takesBytes)
        return this.#supervised(
          () => this.#selectPlain({ name, text: sql, values: [...values] }, mostBytes),
          limits,
        )
      return (await this.#ask({ name, text: sql, values, mostBytes }, limits)).rows
    })
  }

  /** The same without cancellation or time limits; others may be in progress on the connection. */
  async selectUnwatched(
    sql: string,
    parameters: readonly SqlValue[],
    { mostBytes }: SelectOptions = {},
  ): Promise<RowSet> {
    const values = parameters.map(bound)
    try {
      return await this.#prepare(sql, async (name) => {
        if (this.#takesBytes) return (await this.#connection.ask({ name, text: sql, values, mostBytes })).rows
        return this.#selectPlain({ name, text: sql, values: [...values] }, mostBytes)
      })
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /**
   * Passes the name of the prepared statement, which is empty behind a pooler, where names are shared with others. A
   * statement that was prepared for another schema is prepared again the next time; its parameters have the types that
   * they had.
   */
  async #prepare<Result>(sql: string, work: (name: string) => Promise<Result>): Promise<Result> {
    if (this.isPooled) return work(unnamed)
    if (!this.#hasPortal) this.#prepared.renew(this.#parts.prepared.generation, this.#client)
    const hasWorked = this.#prepared.has(sql)
    try {
      return await work(this.#prepared.nameOf(sql, this.#client))
    } catch (error) {
      const known = hasWorked ? errorOfPrepared(error) : databaseErrorOf(error)
      if (known.kind === 'schemaChanged') this.#prepared.forget(sql, this.#client)
      if (hasWorked && known.kind === 'schemaChanged') this.#parts.prepared.generation += 1
      throw known
    }
  }

  /** Runs a statement that changes something; prepared if it has parameters and is not very long. */
  async execute({ sql, parameters }: Statement, limits: StatementLimits): Promise<number> {
    const values = parameters.map(bound)
    if (!this.#takesBytes || values.length === 0 || sql.length > longestPrepared) {
      const { rowCount } = await this.result({ text: sql, values }, limits)
      return rowCount ?? 0
    }
    return this.#prepare(sql, async (name) => {
      const { count } = await this.#ask({ name, text: sql, values }, limits)
      return count
    })
  }

  /**
   * Whether the connection takes a whole transaction at once: one that was quiet for long may be lost, so that nobody could tell whether
   * the transaction was committed.
   */
  get takesTransactions(): boolean {
    const isOpen = this.usable && this.#connection.isOpen
    return (
      isOpen && this.#takesBytes && !this.isPooled && performance.now() - this.#respondedAt < longestQuietMs
    )
  }

  /** Makes the settings of another use; they are sent with the next statement. */
  use(use: ConnectionUse): void {
    if (use === this.#use) return
    this.#use = use
    this.command(this.#parts.settings.ofUse[use]).catch(() => {
      this.usable = false
    })
  }

  /** Runs statements in one transaction. If one of them fails, `failed` is called with its position. */
  async transact(
    statements: readonly Statement[],
    { use, ...limits }: StatementLimits & { readonly use: ConnectionUse },
    failed: (position: number) => void,
  ): Promise<readonly QueryResult[]> {
    this.use(use)
    this.#prepared.renew(this.#parts.prepared.generation, this.#client)
    const requests = statements.map(({ sql, parameters }) => {
      const name = sql.length > longestPrepared ? unnamed : this.#prepared.nameOf(sql, this.#client)
      return { name, text: sql, values: parameters.map(bound) }
    })
    try {
      return await this.#supervised(() => this.#connection.askAll(requests, failed), limits)
    } catch (error) {
      const isOfBefore = errorOfPrepared(error).kind === 'schemaChanged'
      if (isOfBefore && this.usable)
        for (const { sql } of statements) this.#prepared.forget(sql, this.#client)
      throw error
    }
  }

  /** Opens a portal, which exists until the transaction ends, and returns its first rows. */
  async openRows(
    open: OpenRows & { readonly values: BoundValues },
    limits: StatementLimits,
  ): Promise<{ readonly first: Piece }> {
    const { name, sql, values, pieceRows, mostBytes } = open
    if (this.#takesBytes) {
      const piece = { portal: name, rows: pieceRows }
      return this.#prepare(sql, async (statement) => ({
        first: await this.#openPortal({ name: statement, text: sql, values, piece, mostBytes }, limits),
      }))
    }
    await this.openRowsBehind(0, open, limits)
    return { first: await this.moreRows(open, limits) }
  }

  /** The same after the first `count` rows, without returning any. */
  async openRowsBehind(
    count: number,
    { name, sql, values }: OpenRows & { readonly values: BoundValues },
    limits: StatementLimits,
  ): Promise<void> {
    await this.run({ text: `declare ${name} no scroll cursor for ${sql}`, values: [...values] }, limits)
    if (count > 0) await this.run({ text: `move forward ${count} from ${name}` }, limits)
  }

  /** The next rows of an open portal. */
  async moreRows({ name, sql, pieceRows, mostBytes }: OpenRows, limits: StatementLimits): Promise<Piece> {
    if (this.#takesBytes) {
      const statement = this.isPooled ? unnamed : this.#prepared.nameOf(sql, this.#client)
      const piece = { portal: name, rows: pieceRows }
      return this.#ask({ name: statement, text: sql, piece, mostBytes }, limits)
    }
    const query = { text: `fetch ${pieceRows} from ${name}` }
    const rows = await this.#supervised(() => this.#selectPlain(query, mostBytes), limits)
    return { rows, isComplete: rows.length < pieceRows }
  }

  /** Until the transaction ends, the statement of the portal stays prepared. */
  #openPortal(request: RowRequest, limits: StatementLimits): Promise<QueryResult> {
    this.#hasPortal = true
    return this.#ask(request, limits)
  }

  async closeRows(name: string, limits: StatementLimits): Promise<void> {
    await this.run({ text: `close ${name}` }, limits)
  }

  #ask(request: RowRequest, limits: StatementLimits): Promise<QueryResult> {
    return this.#supervised(() => this.#connection.ask(request), limits)
  }

  /** Runs SQL that returns no rows, such as the end of a transaction; without limits only the server ends it. */
  async command(text: string, limits?: StatementLimits): Promise<void> {
    if (limits !== undefined) {
      await this.#supervised(() => this.#connection.command(text), limits)
      return
    }
    try {
      await this.#connection.command(text)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Begins or ends a read transaction, without waiting for it. */
  frame(step: 'begin' | 'commit' | 'rollback'): void {
    this.command(step === 'begin' ? this.beginning(beginRead) : step).catch(() => {
      this.usable = false
    })
  }

  async run(query: Omit<QueryArrayConfig, 'rowMode'>, limits: StatementLimits): Promise<readonly Row[]> {
    return (await this.result(query, limits)).rows
  }

  async result(
    query: Omit<QueryArrayConfig, 'rowMode'>,
    limits: StatementLimits,
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }> {
    return this.#supervised(() => this.#queryPlain(query), limits)
  }

  #queryPlain(query: Omit<QueryArrayConfig, 'rowMode'>): Promise<QueryArrayResult<SqlValue[]>> {
    return this.#client.query<SqlValue[]>({ ...query, rowMode: 'array', types: valueTypes })
  }

  /** The rows of a query, none of which is kept behind so many bytes. */
  #selectPlain(query: Omit<QueryArrayConfig, 'rowMode'>, mostBytes?: number): Promise<ListedRows> {
    const rows = new BoundedRows(mostBytes)
    const config: QueryArrayConfig = { ...query, rowMode: 'array', types: valueTypes }
    return new Promise((resolve, reject) => {
      const asked = this.#client.query(new pg.Query<SqlValue[]>(config))
      asked.on('row', (row) => rows.add(row))
      asked.on('error', reject)
      asked.on('end', () => resolve(rows.kept))
    })
  }

  async #supervised<Result>(work: () => Promise<Result>, limits: StatementLimits): Promise<Result> {
    try {
      const result = await supervise(work, limits, () => this.abandon(), this.#listened)
      this.#respondedAt = performance.now()
      return result
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** After a failure the server refuses all other statements of the transaction: they have failed for the same reason. */
  #failed(error: unknown): DatabaseError {
    if (endsConnection(error)) this.usable = false
    if (isOfFailedTransaction(error) && this.#failure !== undefined) return this.#failure
    this.#failure = databaseErrorOf(error)
    return this.#failure
  }

  /** Ends what runs on the connection, which can no longer be used. */
  abandon(): void {
    this.usable = false
    if (this.isPooled) this.#cancelling = this.#parts.cancelByKey(this.#client)
    else if (this.#processId > 0) this.#parts.cancelProcess(this.#processId)
  }

  release(): void {
    this.#hasPortal = false
    const release = () => {
      this.#client.release(!this.usable)
      // If the server no longer responds, it would not confirm an orderly close.
      if (!this.usable) this.#connection.stream.destroy()
    }
    // A pooler knows the key only while the connection exists.
    if (this.#cancelling === undefined) release()
    else void this.#cancelling.then(release)
  }
}

/** A value as `pg` sends it. */
export function bound(value: SqlValue): string | Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value === null ? null : String(value)
}
