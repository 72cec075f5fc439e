import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { cancellationCheckFunction } from '../../src/database/dialects/sqlite/connection-calls.ts'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { startKeptThread } from './kept-threads.ts'
import { has } from './machine.ts'
import {
  giveBackPostgresqlDatabase,
  onPostgresqlServer,
  postgresqlServer,
  takePostgresqlDatabase,
} from './postgresql-databases.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testLimits } from './test-limits.ts'

/** A database of a test's own, empty. */
export interface TestDatabase {
  readonly options: DatabaseOptions
  remove(): Promise<void>
}

/** A database product that tests run on. */
export interface TestProduct {
  readonly name: string
  createDatabase(): Promise<TestDatabase>
  /** Makes the view `Slow` with the column `id`, whose rows take longer than any test. */
  readonly slowView: string
  /** A select that gives a 1 after about as many hundredths of a second as its value says. */
  readonly slowSelect: string
  /** The type of a column that holds bytes. */
  readonly bytesType: string
  /** The type and the rules of a column that is the key of its table, and that the database numbers. */
  readonly numberedKey: string
  /** An expression whose value is not a number, where there are such. */
  readonly notANumber?: string
  /** Present where anyone who reads may write as well. */
  readonly readersWrite?: true
  /** How many statements run in a database now, besides this question; undefined where only the program itself knows. */
  runningStatements?(options: DatabaseOptions): Promise<number>
  /** Ends the connections to a database, as the administrator of its server can; absent where there is no server. */
  endConnections?(options: DatabaseOptions): Promise<void>
}

const sqlite: TestProduct = {
  name: 'SQLite',
  async createDatabase() {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'data.sqlite')
    const options = { product: 'sqlite', file, readConnections: 4, ...testLimits } as const
    return { options: { ...options, startThread: startKeptThread }, remove: folder.remove }
  },
  slowView:
    'create view Slow as with recursive numbers (id) as (select 1 union all select id + 1 from numbers) select id from numbers where id < 0',
  slowSelect: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ? * 10000 and ${cancellationCheckFunction}()) select max(i) > 0 from n`,
  bytesType: 'blob',
  numberedKey: 'integer primary key',
  readersWrite: true,
}

/** Where the tests' MySQL or MariaDB server is; an administrator without a password unless the environment says otherwise. */
const mysqlServer = {
  host: process.env.TEST_MYSQL_HOST ?? '127.0.0.1',
  port: Number(process.env.TEST_MYSQL_PORT ?? 3306),
  user: process.env.TEST_MYSQL_USER ?? 'root',
  password: process.env.TEST_MYSQL_PASSWORD ?? '',
}

const mysql: TestProduct = {
  name: 'MariaDB',
  async createDatabase() {
    const name = `gatehouse_test_${randomBytes(6).toString('hex')}`
    await onMysqlServer(`create database ${name} character set utf8mb4 collate utf8mb4_general_ci`)
    return {
      options: { product: 'mysql', ...mysqlServer, name, tls: false, connections: 8, ...testLimits },
      remove: async () => {
        await onMysqlServer(`drop database ${name}`)
      },
    }
  },
  slowView: 'create view Slow as select sleep(100) as id',
  slowSelect: 'select 1 from (select sleep(? / 100)) s',
  bytesType: 'longblob',
  numberedKey: 'integer auto_increment primary key',
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onMysqlServer(
      `select count(*) from information_schema.processlist where db = '${name}' and command in ('Query', 'Execute')`,
    )
    return Number(rows[0]?.[0])
  },
  async endConnections(options) {
    const { name } = options as { readonly name: string }
    const rows = await onMysqlServer(`select id from information_schema.processlist where db = '${name}'`)
    // One that has ended meanwhile is not there any more.
    for (const [id] of rows) await onMysqlServer(`kill connection ${id}`).catch(() => undefined)
  },
}

/** Runs a statement on the tests' server, as its administrator. */
export async function onMysqlServer(sql: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await createConnection({ ...mysqlServer, connectTimeout: 10_000, rowsAsArray: true })
  try {
    const [rows] = await connection.query(sql)
    return rows as readonly (readonly unknown[])[]
  } finally {
    await connection.end()
  }
}

const postgresql: TestProduct = {
  name: 'PostgreSQL',
  async createDatabase() {
    const name = await takePostgresqlDatabase()
    const server = { ...postgresqlServer, name, schemas: ['public'], tls: false, connections: 8 }
    return {
      options: { product: 'postgresql', ...server, ...testLimits },
      remove: () => giveBackPostgresqlDatabase(name),
    }
  },
  slowView: 'create view "Slow" as select 1 as id from pg_sleep(100)',
  slowSelect: 'select 1 from (select pg_sleep(?::float8 / 100)) s',
  bytesType: 'bytea',
  numberedKey: 'integer generated always as identity primary key',
  notANumber: "'NaN'::float8",
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onPostgresqlServer(
      `select count(*) from pg_stat_activity where datname = '${name}' and state = 'active'`,
    )
    return Number(rows[0]?.[0])
  },
  async endConnections(options) {
    const { name } = options as { readonly name: string }
    await onPostgresqlServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
  },
}

/** The same without what only makes reads faster. */
const postgresqlPlainReads: TestProduct = {
  ...postgresql,
  name: 'PostgreSQL plain reads',
  async createDatabase() {
    const { options, remove } = await postgresql.createDatabase()
    return { options: { ...options, fastReads: false }, remove }
  },
}

/** The products that a run is for, by `TEST_PRODUCTS` of the environment: names, separated by commas; all where it is absent. */
const wanted = process.env.TEST_PRODUCTS?.split(',')
const isWanted = ({ name }: TestProduct) => wanted?.includes(name) ?? true

const servedPostgresql = has('PostgreSQL') ? [postgresql].filter(isWanted) : []
const servedMysql = has('MariaDB') ? [mysql] : []

/** The products that this machine has. */
export const products: readonly TestProduct[] = [sqlite, ...servedPostgresql, ...servedMysql].filter(isWanted)

/** The same, with a product once for each way in which its rows are read. */
export const readers: readonly TestProduct[] = [
  ...products,
  ...servedPostgresql.map(() => postgresqlPlainReads),
]
