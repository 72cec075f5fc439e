import mysql2, {
  createPool,
  type Pool,
  type PoolConnection,
  type ResultSetHeader,
  type RowDataPacket,
} from 'mysql2/promise'

import type { Connection, Driver, Row, SqlValue, Statement } from '../../driver.ts'
import { databaseErrorOf, endsConnection, type ViolatedKey, violatedKeyOf } from './error.ts'

export interface MysqlDriverOptions {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  /** Name of the database. */
  readonly name: string
  /** Whether the connection is encrypted and the server's certificate checked. */
  readonly tls: boolean
  /** How many connections may be open. */
  readonly connections: number
}

// Node.js finds it only in the module's default export.
const { TypedParameter } = mysql2

const connectTimeoutMs = 10_000
const preparedLimit = 256

/** Independent of how the server is configured: UTC, no value is bent to fit, and a reader sees one state of the data. */
const sessionSettings = [
  "set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  'set session transaction isolation level repeatable read',
]

/** Connects to a MySQL or MariaDB server; further connections are opened as callers come at the same time. */
export async function openMysqlDriver(options: MysqlDriverOptions): Promise<Driver> {
  const driver = new MysqlDriver(poolOf(options))
  try {
    await driver.read((connection) => connection.query({ sql: 'select 1', parameters: [] }))
  } catch (error) {
    await driver.close()
    throw error
  }
  return driver
}

function poolOf({ host, port, user, password, name, tls, connections }: MysqlDriverOptions): Pool {
  return createPool({
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    ...(password === undefined ? {} : { password }),
    database: name,
    ...(tls ? { ssl: {} } : {}),
    connectionLimit: connections,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: preparedLimit,
    charset: 'utf8mb4',
    timezone: 'Z',
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    flags: ['-LOCAL_FILES'],
  })
}

class MysqlDriver implements Driver {
  readonly #pool: Pool
  /** Connections whose session is set up. */
  readonly #ready = new WeakSet<object>()
  /** What has a connection: work, and ends of reads that no caller waits for. */
  readonly #running = new Set<Promise<unknown>>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#track(this.#read(work))
  }

  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#track(this.#transaction(work))
  }

  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    await this.#pool.end()
  }

  async #read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const pooled = await this.#begin('start transaction with consistent snapshot, read only')
    const connection = new MysqlConnection(pooled)
    try {
      return await work(connection)
    } finally {
      void this.#track(endRead(pooled, connection.usable))
    }
  }

  async #transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const pooled = await this.#begin('start transaction')
    const connection = new MysqlConnection(pooled)
    try {
      const result = await work(connection)
      await connection.execute({ sql: 'commit', parameters: [] })
      pooled.release()
      return result
    } catch (error) {
      // The first error is the one to report; where undoing fails the server undoes, once the connection is gone.
      const undone = connection.usable && (await succeeds(pooled.query('rollback')))
      if (undone) pooled.release()
      else pooled.destroy()
      throw error
    }
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const done = () => this.#running.delete(work)
    this.#running.add(work)
    work.then(done, done)
    return work
  }

  /** A connection inside a transaction. One that has waited in the pool may be dead: then another is tried, once. */
  async #begin(sql: string): Promise<PoolConnection> {
    try {
      return await this.#beginOnce(sql)
    } catch (error) {
      if (!endsConnection(error)) throw databaseErrorOf(error)
    }
    try {
      return await this.#beginOnce(sql)
    } catch (error) {
      throw databaseErrorOf(error)
    }
  }

  async #beginOnce(sql: string): Promise<PoolConnection> {
    const pooled = await this.#pool.getConnection()
    try {
      if (!this.#ready.has(pooled.connection)) {
        for (const setting of sessionSettings) await pooled.query(setting)
        this.#ready.add(pooled.connection)
      }
      await pooled.query(sql)
      return pooled
    } catch (error) {
      pooled.destroy()
      throw error
    }
  }
}

async function endRead(pooled: PoolConnection, usable: boolean): Promise<void> {
  if (usable && (await succeeds(pooled.query('commit')))) pooled.release()
  else pooled.destroy()
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

class MysqlConnection implements Connection {
  readonly #pooled: PoolConnection
  usable = true

  constructor(pooled: PoolConnection) {
    this.#pooled = pooled
  }

  async query({ sql, parameters }: Statement): Promise<readonly Row[]> {
    const [rows] = await this.#run(sql, () =>
      this.#pooled.execute<RowDataPacket[]>(sql, parameters.map(bound)),
    )
    return rows as unknown as readonly Row[]
  }

  async execute({ sql, parameters }: Statement): Promise<number> {
    const [result] = await this.#run(sql, () =>
      // What changes tables is run once: nothing to prepare.
      parameters.length === 0
        ? this.#pooled.query<ResultSetHeader>(sql)
        : this.#pooled.execute<ResultSetHeader>(sql, parameters.map(bound)),
    )
    return result.affectedRows ?? 0
  }

  async #run<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (endsConnection(error)) this.usable = false
      const key = violatedKeyOf(error)
      throw databaseErrorOf(error, key && (await this.#columnsOf(key, sql)))
    }
  }

  /** The columns of a violated key; none where it is in doubt which table it belongs to. */
  async #columnsOf(key: ViolatedKey, sql: string): Promise<readonly string[]> {
    const table = key.table ?? writtenTable(sql)
    if (table === undefined) return []
    try {
      const [rows] = await this.#pooled.execute<RowDataPacket[]>(keyColumnsSql, [table, key.name])
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
