import mysql2, { type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import type { DatabaseError } from '../../database-error.ts'
import type { SelectOptions, Statement, StreamingConnection, StreamOptions } from '../../driver.ts'
import { ListedRows, type RowSet } from '../../row-set.ts'
import { type ReadConnection, staleIfLost } from '../../run-again.ts'
import type { Row, SqlValue } from '../../sql-value.ts'
import type { StatementLimits } from '../../supervise.ts'
import { databaseErrorOf, type ViolatedKey, violatedKeyOf } from './error.ts'
import { plainOf } from './mysql2-internals.ts'
import { dropExecuted, executedText } from './prepared-anew.ts'
import { type DatabaseSession, withoutServerLimit } from './session.ts'
import { withShortSingles } from './single-numbers.ts'
import { SpooledRows } from './spooled-rows.ts'
import { firstRows, streamRows } from './stream-rows.ts'

// Node.js finds it only in the default export of the module.
const { TypedParameter } = mysql2

/** A connection for one caller that reads and writes. */
export class MysqlConnection implements StreamingConnection, ReadConnection {
  readonly #limits: StatementLimits
  readonly #session: DatabaseSession
  /** Whether a lost connection means that it was lost in the pool. */
  #mayBeStale: boolean
  #stale: DatabaseError | undefined
  /** The rows of a list that is still being read. */
  #streamed: SpooledRows | undefined

  /** `mayBeStale` is for reads, whose work may run again if the first statement finds the connection lost. */
  constructor(session: DatabaseSession, limits: StatementLimits, mayBeStale = false) {
    this.#session = session
    this.#limits = limits
    this.#mayBeStale = mayBeStale
  }

  get toRunAgain(): DatabaseError | undefined {
    return this.#stale
  }

  async query({ sql, parameters }: Statement): Promise<readonly Row[]> {
    const text = executedText(sql)
    const [rows, fields] = await this.#run(sql, (pooled) =>
      pooled
        .execute<RowDataPacket[]>(text, parameters.map(bound))
        .finally(() => dropExecuted(plainOf(pooled), sql, text)),
    )
    return withShortSingles(rows as unknown as readonly Row[], fields)
  }

  async select(statement: Statement, { mostBytes }: SelectOptions = {}): Promise<RowSet> {
    if (mostBytes === undefined) return new ListedRows(await this.query(statement))
    const { sql, parameters } = statement
    return this.#run(sql, () => firstRows(this.#session.plain, sql, parameters.map(bound), mostBytes))
  }

  /**
   * A connection carries one statement at a time: before another one runs, the remaining rows go to a temporary file.
   */
  async *stream({ sql, parameters }: Statement, options: StreamOptions): AsyncIterable<RowSet> {
    // The server counts the time that a reader takes.
    await this.#run(sql, (pooled) => pooled.query(withoutServerLimit))
    this.#session.forgetSettings()
    const rows = new SpooledRows(streamRows(this.#session, sql, parameters.map(bound), options, this.#limits))
    this.#streamed = rows
    try {
      for await (const piece of rows) yield new ListedRows(piece)
    } finally {
      if (this.#streamed === rows) this.#streamed = undefined
    }
  }

  async execute({ sql, parameters }: Statement): Promise<number> {
    const [result] = await this.#run(sql, (pooled) =>
      // DDL runs once, so it is not prepared.
      parameters.length === 0
        ? pooled.query<ResultSetHeader>(sql)
        : pooled.execute<ResultSetHeader>(sql, parameters.map(bound)),
    )
    return result.affectedRows ?? 0
  }

  async #run<Result>(sql: string, work: (pooled: PoolConnection) => Promise<Result>): Promise<Result> {
    const mayBeStale = this.#mayBeStale
    this.#mayBeStale = false
    if (this.#streamed !== undefined) await this.#streamed.spoolRest()
    try {
      return await this.#session.run(work, this.#limits)
    } catch (error) {
      const known = databaseErrorOf(error)
      if (mayBeStale && !this.#session.usable && known.kind === 'unavailable') {
        this.#stale = staleIfLost(known) as DatabaseError
        throw this.#stale
      }
      const key = violatedKeyOf(error)
      throw key === undefined ? known : databaseErrorOf(error, await this.#columnsOf(key, sql))
    }
  }

  /** The columns of a violated key; empty if the table is uncertain. */
  async #columnsOf(key: ViolatedKey, sql: string): Promise<readonly string[]> {
    const table = key.table ?? writtenTable(sql)
    if (table === undefined) return []
    try {
      const [rows] = await this.#session.run(
        (pooled) => pooled.execute<RowDataPacket[]>(keyColumnsSql, [table, key.name]),
        this.#limits,
      )
      return (rows as unknown as readonly Row[]).map(([name]) => String(name))
    } catch {
      return []
    }
  }
}

const keyColumnsSql =
  'select column_name from information_schema.statistics where table_schema = database() and table_name = ? and index_name = ? order by seq_in_index'

function writtenTable(sql: string): string | undefined {
  const match = /^\s*(?:insert\s+into|update)\s+(?:`((?:[^`]|``)+)`|(\w+))/i.exec(sql)
  return match?.[1]?.replaceAll('``', '`') ?? match?.[2]
}

/**
 * Integers are sent as integers: `limit` accepts nothing else, and comparing a 64-bit column with a text or a double
 * would lose digits.
 */
function bound(value: SqlValue) {
  if (typeof value === 'bigint') {
    return value > maxSigned ? TypedParameter.LONGLONG.unsigned(value) : TypedParameter.LONGLONG(value)
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return TypedParameter.LONGLONG(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value
}

const maxSigned = 2n ** 63n - 1n
