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
  /** Where it is, for others than the program: a file, or a server with the database's name. */
  readonly server: Readonly<Record<string, string | number>>
  /** Numbers of the server's threads or processes that serve this database; none where it has none, or does not tell. */
  threads(): Promise<readonly number[]>
  /** The product's name and version. */
  version(): Promise<string>
  open(): Promise<Database>
  /** To be called after many rows were put in: the database looks at what it has. */
  settle(): Promise<void>
  remove(): Promise<void>
}

const limits = { statementTimeoutMs: 600_000, waitMs: 60_000 }

/**
 * One database for each product that this machine has, or only of those that are named, by default as the bench's
 * first word; the servers are where the tests look for them.
 */
export async function benchDatabases(
  products: readonly string[] = process.argv.slice(2, 3),
): Promise<readonly BenchDatabase[]> {
  const name = `gatehouse_bench_${randomBytes(4).toString('hex')}`
  const makers = { SQLite: sqliteDatabase, PostgreSQL: postgresqlDatabase, MariaDB: mysqlDatabase }
  const found: BenchDatabase[] = []
  for (const [product, make] of Object.entries(makers)) {
    if (products.length > 0 && !products.includes(product)) continue
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
    server: { file },
    threads: async () => [],
    version: async () => `SQLite ${process.versions.sqlite}`,
    open: () => openDatabase({ product: 'sqlite', file, readConnections: 2, ...limits }),
    settle: async () => undefined,
    remove: () => rm(folder, { recursive: true }),
  }
}

async function postgresqlDatabase(name: string): Promise<BenchDatabase> {
  const server = { host: '127.0.0.1', port: 5432, user: 'postgres' }
  const run = async (sql: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' })
    await client.connect()
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    await client.end()
    return rows
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
    server: { ...server, name },
    threads: async () =>
      (await run(`select pid from pg_stat_activity where datname = '${name}'`)).map(([pid]) => Number(pid)),
    version: async () => `PostgreSQL ${(await run('show server_version'))[0]?.[0]}`,
    open: () => openDatabase(options),
    settle: async () => {
      const client = new pg.Client({ ...server, database: name })
      await client.connect()
      await client.query('vacuum analyze')
      await client.query('checkpoint')
      await client.end()
    },
    remove: async () => void (await run(`drop database ${name} with (force)`)),
  }
}

async function mysqlDatabase(name: string): Promise<BenchDatabase> {
  const server = { host: '127.0.0.1', port: 3306, user: 'root' }
  const run = async (sql: string) => {
    const connection = await mysql.createConnection({ ...server, rowsAsArray: true })
    const [rows] = await connection.query(sql)
    await connection.end()
    return rows as readonly (readonly unknown[])[]
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
    server: { ...server, name },
    // MySQL has no such column.
    threads: async () =>
      (await run(`select tid from information_schema.processlist where db = '${name}'`).catch(() => [])).map(
        ([thread]) => Number(thread),
      ),
    version: async () => String((await run('select version()'))[0]?.[0]),
    open: () => openDatabase(options),
    settle: async () => {
      const connection = await mysql.createConnection({ ...server, database: name })
      const [tables] = await connection.query({ sql: 'show tables', rowsAsArray: true })
      for (const [table] of tables as unknown as string[][])
        await connection.query(`analyze table \`${table}\``)
      await connection.end()
    },
    remove: async () => void (await run(`drop database ${name}`)),
  }
}
