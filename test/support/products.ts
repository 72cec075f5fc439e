import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
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
  /** Whether definitions can be uploaded: a failed change of tables leaves nothing. */
  readonly takesUploads: boolean
  createDatabase(): Promise<TestDatabase>
}

const sqlite: TestProduct = {
  name: 'SQLite',
  takesUploads: true,
  async createDatabase() {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'data.sqlite')
    return { options: { product: 'sqlite', file, readConnections: 2, ...testLimits }, remove: folder.remove }
  },
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
  takesUploads: false,
  async createDatabase() {
    const name = `gatehouse_test_${randomBytes(6).toString('hex')}`
    await onMysqlServer(`create database ${name} character set utf8mb4 collate utf8mb4_general_ci`)
    return {
      options: { product: 'mysql', ...mysqlServer, name, tls: false, connections: 8, ...testLimits },
      remove: () => onMysqlServer(`drop database ${name}`),
    }
  },
}

async function onMysqlServer(sql: string): Promise<void> {
  const connection = await createConnection({ ...mysqlServer, connectTimeout: 2000 })
  try {
    await connection.query(sql)
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
  takesUploads: true,
  async createDatabase() {
    const name = `gatehouse_test_${randomBytes(6).toString('hex')}`
    await onPostgresqlServer(`create database ${name} encoding 'UTF8' template template0`)
    const server = { ...postgresqlServer, name, schemas: ['public'], tls: false, connections: 8 }
    return {
      options: { product: 'postgresql', ...server, ...testLimits },
      remove: () => onPostgresqlServer(`drop database ${name} with (force)`),
    }
  },
}

async function onPostgresqlServer(sql: string): Promise<void> {
  const client = new Client({ ...postgresqlServer, database: 'postgres', connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The product where its server answers. Without one its tests are left out; in continuous integration that is an error. */
async function whereServed(product: TestProduct, ask: () => Promise<void>): Promise<readonly TestProduct[]> {
  try {
    await ask()
    return [product]
  } catch (error) {
    if (process.env.CI === 'true') throw error
    console.warn(`${product.name} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

/** The products that this machine has. */
export const products: readonly TestProduct[] = [
  sqlite,
  ...(await whereServed(postgresql, () => onPostgresqlServer('select 1'))),
  ...(await whereServed(mysql, () => onMysqlServer('select 1'))),
]
