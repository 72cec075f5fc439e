import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { has } from './machine.ts'
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
  /** How many statements run in a database now, besides this question; undefined where only the program itself knows. */
  runningStatements?(options: DatabaseOptions): Promise<number>
}

const sqlite: TestProduct = {
  name: 'SQLite',
  async createDatabase() {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'data.sqlite')
    return { options: { product: 'sqlite', file, readConnections: 4, ...testLimits }, remove: folder.remove }
  },
  slowView:
    'create view Slow as with recursive numbers (id) as (select 1 union all select id + 1 from numbers) select id from numbers where id < 0',
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
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onMysqlServer(
      `select count(*) from information_schema.processlist where db = '${name}' and command in ('Query', 'Execute')`,
    )
    return Number(rows[0]?.[0])
  },
}

/** Runs a statement on the tests' server, as its administrator. */
export async function onMysqlServer(sql: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await createConnection({ ...mysqlServer, connectTimeout: 2000, rowsAsArray: true })
  try {
    const [rows] = await connection.query(sql)
    return rows as readonly (readonly unknown[])[]
  } finally {
    await connection.end()
  }
}

/** Where the tests' PostgreSQL server is. */
const postgresqlServer = {
  host: process.env.TEST_POSTGRESQL_HOST ?? '127.0.0.1',
  port: Number(process.env.TEST_POSTGRESQL_PORT ?? 5432),
  user: process.env.TEST_POSTGRESQL_USER ?? 'postgres',
  password: process.env.TEST_POSTGRESQL_PASSWORD ?? '',
}

const postgresql: TestProduct = {
  name: 'PostgreSQL',
  async createDatabase() {
    const name = `gatehouse_test_${randomBytes(6).toString('hex')}`
    await onPostgresqlServer(`create database ${name} encoding 'UTF8' template template0`)
    const server = { ...postgresqlServer, name, schemas: ['public'], tls: false, connections: 8 }
    return {
      options: { product: 'postgresql', ...server, ...testLimits },
      remove: async () => {
        await onPostgresqlServer(`drop database ${name} with (force)`)
      },
    }
  },
  slowView: 'create view "Slow" as select 1 as id from pg_sleep(100)',
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onPostgresqlServer(
      `select count(*) from pg_stat_activity where datname = '${name}' and state = 'active'`,
    )
    return Number(rows[0]?.[0])
  },
}

/** The same with rows that are read by `pg` instead of our own reader. */
const postgresqlByValues: TestProduct = {
  ...postgresql,
  name: 'PostgreSQL by values',
  async createDatabase() {
    const { options, remove } = await postgresql.createDatabase()
    return { options: { ...options, rowReader: 'values' } as DatabaseOptions, remove }
  },
}

/** Runs a statement on the tests' server, as its administrator. */
export async function onPostgresqlServer(sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = new Client({ ...postgresqlServer, database: 'postgres', connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
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
  ...servedPostgresql.map(() => postgresqlByValues),
]
