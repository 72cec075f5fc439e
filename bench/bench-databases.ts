import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Database } from '../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../src/database/open-database.ts'

/** A database for a bench, with the flags that connect the program to it. */
export interface BenchDatabase {
  readonly product: string
  readonly flags: readonly string[]
  open(): Promise<Database>
  remove(): Promise<void>
}

const limits = { statementTimeoutMs: 600_000, waitMs: 60_000 }

/**
 * One database for each product that this machine has, or only of the one that is named as the bench's first
 * word; the servers are where the tests look for them.
 */
export async function benchDatabases(): Promise<readonly BenchDatabase[]> {
  const name = `gatehouse_bench_${randomBytes(4).toString('hex')}`
  const makers = { SQLite: sqliteDatabase, PostgreSQL: postgresqlDatabase, MariaDB: mysqlDatabase }
  const found: BenchDatabase[] = []
  for (const [product, make] of Object.entries(makers)) {
    if ((process.argv[2] ?? product) !== product) continue
    try {
      found.push(await make(name))
    } catch (error) {
      console.warn(`Left out: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return found
}

async function sqliteDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const file = join(folder, 'bench.sqlite')
  return {
    product: 'SQLite',
    flags: ['--db_product', 'sqlite', '--db_name', file],
    open: () => openDatabase({ product: 'sqlite', file, readConnections: 2, ...limits }),
    remove: () => rm(folder, { recursive: true }),
  }
}

async function postgresqlDatabase(name: string): Promise<BenchDatabase> {
  const server = { host: '127.0.0.1', port: 5432, user: 'postgres' }
  const run = async (sql: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`create database ${name}`)
  const options: DatabaseOptions = {
    product: 'postgresql',
    ...server,
    name,
    schemas: ['public'],
    tls: false,
    connections: 4,
    ...limits,
  }
  return {
    product: 'PostgreSQL',
    flags: ['--db_product', 'postgresql', '--db_name', name, '--db_user', server.user],
    open: () => openDatabase(options),
    remove: () => run(`drop database ${name} with (force)`),
  }
}

async function mysqlDatabase(name: string): Promise<BenchDatabase> {
  const server = { host: '127.0.0.1', port: 3306, user: 'root' }
  const run = async (sql: string) => {
    const connection = await mysql.createConnection(server)
    await connection.query(sql)
    await connection.end()
  }
  await run(`create database ${name} character set utf8mb4`)
  const options: DatabaseOptions = {
    product: 'mysql',
    ...server,
    name,
    tls: false,
    connections: 4,
    ...limits,
  }
  return {
    product: 'MariaDB',
    flags: ['--db_product', 'mysql', '--db_name', name, '--db_user', server.user],
    open: () => openDatabase(options),
    remove: () => run(`drop database ${name}`),
  }
}
