import type { Socket } from 'node:net'
import type { PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { DatabaseError } from '../../database-error.ts'
import type { Row, SelectOptions, SqlValue, Statement } from '../../driver.ts'
import { ListedRows, type RowSet } from '../../row-set.ts'
import type { Listened, Sighting } from '../../silence.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import type { BoundValues } from './bound-values.ts'
import type { Settings } from './connect.ts'
import { databaseErrorOf, endsConnection, errorOfPrepared } from './error.ts'
import type { Answered } from './packed-answer.ts'
import { isOther, refusePooler } from './pooler.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { connectionOf, type RowConnection } from './row-connection.ts'
import type { RowRequest } from './row-request.ts'
import { rowTypes } from './row-types.ts'

/** Begins a transaction whose statements read one state of the data. */
export const beginRead = 'begin transaction isolation level repeatable read read only'

/** The name of the statement that lives until the next one is prepared. */
const unnamed = ''

/** An open list of rows by its name, and how many of them are asked for at a time. */
interface OpenRows {
  readonly name: string
  readonly sql: string
  readonly pieceRows: number
  /** Rows of a piece behind so many bytes are not kept. */
  readonly mostBytes: number | undefined
}

interface Piece {
  readonly rows: RowSet
  readonly isComplete: boolean
}

/** What sessions of one driver have in common. */
export interface SessionParts {
  /** Whether a pooler is in front of the server: nothing may stay on the connection after a transaction. */
  readonly isPooled: boolean
  /** Whether a pooler that was not there at the start is refused. */
  readonly refusesPooler: boolean
  readonly takesBytes: boolean
  readonly settings: Settings
  /** Ends what runs in a process of the server. */
  cancelProcess(processId: number): void
  /** Ends what runs on a connection through a pooler; done when the pooler has taken notice, in bounded time. */
  cancelByKey(client: PoolClient): Promise<void>
  /** What the server does in one of its processes, or whether it can be reached where that is not known; never fails. */
  look(processId: number | undefined): Promise<Sighting>
}

/** One connection of the pool, with its settings made. */
export class Session {
  readonly #client: PoolClient
  readonly #connection: RowConnection
  readonly #parts: SessionParts
  readonly #prepared = new PreparedStatements()
  #processId = 0
  #takesBytes: boolean
  #cancelling: Promise<void> | undefined
  readonly #listened: Listened = {
    heard: () => (this.#connection.stream as Socket).bytesRead,
    look: () => this.#parts.look(this.#processId > 0 ? this.#processId : undefined),
  }
  /** When it was opened, by `performance.now`. */
  readonly openedAt = performance.now()
  /** False when what is on the connection is in doubt; then it is not used again. */
  usable = true

  constructor(client: PoolClient, parts: SessionParts) {
    this.#client = client
    this.#connection = connectionOf(client)
    this.#parts = parts
    this.#takesBytes = parts.takesBytes
  }

  /** Whether statements are to run in transactions only. */
  get isPooled(): boolean {
    return this.#parts.isPooled
  }

  async setUp(limits: StatementLimits): Promise<void> {
    const [row] = await this.run(
      { text: "select pg_backend_pid(), current_setting('server_encoding')" },
      limits,
    )
    const { isPooled, refusesPooler, settings } = this.#parts
    // Such a database holds bytes that are no text in any encoding.
    if (row?.[1] === 'SQL_ASCII') this.#takesBytes = false
    if (isPooled) return
    this.#processId = Number(row?.[0])
    if (refusesPooler && isOther(this.#processId, this.#client)) refusePooler()
    if (settings.ofConnection !== undefined) await this.run({ text: settings.ofConnection }, limits)
  }

  /** Text that begins a transaction, with the settings that are to be made in it. */
  beginning(text: string): string {
    const { ofTransaction } = this.#parts.settings
    return ofTransaction === undefined ? text : `${text}; ${ofTransaction}`
  }

  /** Runs a statement by its prepared form. */
  async select(
    sql: string,
    values: BoundValues,
    limits: StatementLimits,
    mostBytes?: number,
  ): Promise<RowSet> {
    return this.#prepare(sql, async (name) => {
      if (!this.#takesBytes)
        return new ListedRows(await this.run({ name, text: sql, values: [...values] }, limits))
      return (await this.#ask({ name, text: sql, values, mostBytes }, limits)).rows
    })
  }

  /** The same without anything that ends it; others may be under way on the connection. */
  async selectUnwatched(
    sql: string,
    parameters: readonly SqlValue[],
    { mostBytes }: SelectOptions = {},
  ): Promise<RowSet> {
    const values = parameters.map(bound)
    try {
      return await this.#prepare(sql, async (name) => {
        if (this.#takesBytes) return (await this.#connection.ask({ name, text: sql, values, mostBytes })).rows
        return new ListedRows((await this.#queryPlain({ name, text: sql, values: [...values] })).rows)
      })
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /**
   * Gives the name of the prepared statement, which is none behind a pooler: there others meet it. One that was prepared
   * for another schema is prepared again the next time; its parameters have the types that they had.
   */
  async #prepare<Result>(sql: string, work: (name: string) => Promise<Result>): Promise<Result> {
    if (this.isPooled) return work(unnamed)
    const hasWorked = this.#prepared.has(sql)
    try {
      return await work(this.#prepared.nameOf(sql, this.#client))
    } catch (error) {
      const known = hasWorked ? errorOfPrepared(error) : databaseErrorOf(error)
      const isOfBefore = known.kind === 'schemaChanged' || (hasWorked && known.kind === 'valueRefused')
      if (isOfBefore) this.#prepared.forget(sql, this.#client)
      throw known
    }
  }

  async execute({ sql, parameters }: Statement, limits: StatementLimits): Promise<number> {
    const { rowCount } = await this.result({ text: sql, values: parameters.map(bound) }, limits)
    return rowCount ?? 0
  }

  /** Opens a list of rows that lives as long as the transaction, and gives its first ones. */
  async openRows(
    open: OpenRows & { readonly values: BoundValues },
    limits: StatementLimits,
  ): Promise<{ readonly first: Piece }> {
    const { name, sql, values, pieceRows, mostBytes } = open
    if (this.#takesBytes) {
      const piece = { portal: name, rows: pieceRows }
      return this.#prepare(sql, async (statement) => ({
        first: await this.#ask({ name: statement, text: sql, values, piece, mostBytes }, limits),
      }))
    }
    await this.openRowsBehind(0, open, limits)
    return { first: await this.moreRows(open, limits) }
  }

  /** The same without the first `count` rows, and without giving any. */
  async openRowsBehind(
    count: number,
    { name, sql, values }: OpenRows & { readonly values: BoundValues },
    limits: StatementLimits,
  ): Promise<void> {
    await this.run({ text: `declare ${name} no scroll cursor for ${sql}`, values: [...values] }, limits)
    if (count > 0) await this.run({ text: `move forward ${count} from ${name}` }, limits)
  }

  /** The next rows of an open list. */
  async moreRows({ name, sql, pieceRows, mostBytes }: OpenRows, limits: StatementLimits): Promise<Piece> {
    if (this.#takesBytes) {
      const statement = this.isPooled ? unnamed : this.#prepared.nameOf(sql, this.#client)
      const piece = { portal: name, rows: pieceRows }
      return this.#ask({ name: statement, text: sql, piece, mostBytes }, limits)
    }
    const rows = await this.run({ text: `fetch ${pieceRows} from ${name}` }, limits)
    return { rows: new ListedRows(rows), isComplete: rows.length < pieceRows }
  }

  async closeRows(name: string, limits: StatementLimits): Promise<void> {
    await this.run({ text: `close ${name}` }, limits)
  }

  #ask(request: RowRequest, limits: StatementLimits): Promise<Answered> {
    return this.#supervised(() => this.#connection.ask(request), limits)
  }

  /** Runs text that answers without rows, such as the end of a transaction; without limits nothing but the server ends it. */
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

  /** Begins or ends a transaction that reads, without waiting for it. */
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
    return this.#client.query<SqlValue[]>({ ...query, rowMode: 'array', types: rowTypes })
  }

  async #supervised<Result>(work: () => Promise<Result>, limits: StatementLimits): Promise<Result> {
    try {
      return await supervise(work, limits, () => this.abandon(), this.#listened)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): DatabaseError {
    if (endsConnection(error)) this.usable = false
    return databaseErrorOf(error)
  }

  /** Ends what runs on the connection, which is then of no more use. */
  abandon(): void {
    this.usable = false
    if (this.isPooled) this.#cancelling = this.#parts.cancelByKey(this.#client)
    else if (this.#processId > 0) this.#parts.cancelProcess(this.#processId)
  }

  release(): void {
    const release = () => {
      this.#client.release(!this.usable)
      // Where nothing is heard any more, no goodbye is answered.
      if (!this.usable) this.#connection.stream.destroy()
    }
    // A pooler knows the key only as long as the connection is there.
    if (this.#cancelling === undefined) release()
    else void this.#cancelling.then(release)
  }
}

/** A value as `pg` sends it. */
export function bound(value: SqlValue): string | Buffer | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value === null ? null : String(value)
}
