import mysql2, { type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
import type { Connection, Row, SelectOptions, SqlValue, Statement, StreamOptions } from '../../driver.ts'
import { ListedRows, type RowSet } from '../../row-set.ts'
import type { StatementLimits } from '../../supervise.ts'
import { databaseErrorOf, type ViolatedKey, violatedKeyOf } from './error.ts'
import { type Session, withoutServerLimit } from './session.ts'
import { withShortSingles } from './single-numbers.ts'
import { spool } from './spool.ts'
import { firstRows, streamRows } from './stream-rows.ts'

// Node.js finds it only in the module's default export.
const { TypedParameter } = mysql2

/** A connection that one caller reads and writes on. */
export class MysqlConnection implements Connection {
  readonly #limits: StatementLimits
  #session: Session
  /** Gives another connection, while the one in use may have died in the pool and nothing has run on it yet. */
  #another: (() => Promise<Session>) | undefined

  constructor(session: Session, limits: StatementLimits, another?: () => Promise<Session>) {
    this.#session = session
    this.#limits = limits
    this.#another = another
  }

  /** The one in use. */
  get session(): Session {
    return this.#session
  }

  async query({ sql, parameters }: Statement): Promise<readonly Row[]> {
    const [rows, fields] = await this.#run(sql, (pooled) =>
      pooled.execute<RowDataPacket[]>(sql, parameters.map(bound)),
    )
    return withShortSingles(rows as unknown as readonly Row[], fields)
  }

  async select(statement: Statement, { mostBytes }: SelectOptions = {}): Promise<RowSet> {
    if (mostBytes === undefined) return new ListedRows(await this.query(statement))
    const { sql, parameters } = statement
    return this.#run(sql, () => firstRows(this.#session.plain, sql, parameters.map(bound), mostBytes))
  }

  /**
   * A connection carries one statement at a time: rows that other statements come between are kept in a
   * temporary file until they are asked for.
   */
  async *stream({ sql, parameters }: Statement, { alone, ...most }: StreamOptions): AsyncIterable<RowSet> {
    // The server counts the time that a reader takes.
    await this.#run(sql, (pooled) => pooled.query(withoutServerLimit))
    this.#session.forgetSettings()
    const rows = streamRows(this.#session, sql, parameters.map(bound), most, this.#limits)
    yield* asRowSets(alone ? rows : spool(rows))
  }

  async execute({ sql, parameters }: Statement): Promise<number> {
    const [result] = await this.#run(sql, (pooled) =>
      // What changes tables is run once: nothing to prepare.
      parameters.length === 0
        ? pooled.query<ResultSetHeader>(sql)
        : pooled.execute<ResultSetHeader>(sql, parameters.map(bound)),
    )
    return result.affectedRows ?? 0
  }

  async #run<Result>(sql: string, work: (pooled: PoolConnection) => Promise<Result>): Promise<Result> {
    const another = this.#another
    this.#another = undefined
    try {
      return await this.#session.run(work, this.#limits)
    } catch (error) {
      if (another !== undefined && !this.#session.usable && databaseErrorOf(error).kind === 'unavailable') {
        this.#session.release()
        this.#session = await another()
        return this.#run(sql, work)
      }
      const key = violatedKeyOf(error)
      throw databaseErrorOf(error, key && (await this.#columnsOf(key, sql)))
    }
  }

  /** The columns of a violated key; none where it is in doubt which table it belongs to. */
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

async function* asRowSets(pieces: AsyncIterable<readonly Row[]>): AsyncIterable<RowSet> {
  for await (const piece of pieces) yield new ListedRows(piece)
}

const keyColumnsSql =
  'select column_name from information_schema.statistics where table_schema = database() and table_name = ? and index_name = ? order by seq_in_index'

function writtenTable(sql: string): string | undefined {
  const match = /^\s*(?:insert\s+into|update)\s+(?:`((?:[^`]|``)+)`|(\w+))/i.exec(sql)
  return match?.[1]?.replaceAll('``', '`') ?? match?.[2]
}

/**
 * Whole numbers are sent as such: `limit` takes nothing else, and a comparison of a 64-bit column with
 * a text or a double would lose digits.
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
