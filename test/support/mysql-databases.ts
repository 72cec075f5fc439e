/** The databases of a run on the tests' MySQL or MariaDB: the tables of the store take ten times the work of emptying them. */
import { randomBytes } from 'node:crypto'
import { type Connection, createConnection } from 'mysql2/promise'
import { runVariable } from './run-variable.ts'

/** Where the tests' MySQL or MariaDB server is; an administrator without a password unless the environment says otherwise. */
export const mysqlServer = {
  host: process.env.TEST_MYSQL_HOST ?? '127.0.0.1',
  port: Number(process.env.TEST_MYSQL_PORT ?? 3306),
  user: process.env.TEST_MYSQL_USER ?? 'root',
  password: process.env.TEST_MYSQL_PASSWORD ?? '',
}

/** Of this process, with the tables of the store as they were made. */
const withStore: string[] = []

/** How the tables of the store are made, and the rows that they have then. */
interface MadeStore {
  readonly description: string
  readonly rows: ReadonlyMap<string, readonly unknown[]>
}
let made: MadeStore | undefined

/** The name of a new database. */
export async function createMysqlDatabase(): Promise<string> {
  const name = `${process.env[runVariable] ?? 'gatehouse_test'}_${randomBytes(6).toString('hex')}`
  await onMysqlServer(`create database ${name} character set utf8mb4 collate utf8mb4_general_ci`)
  return name
}

/** The name of a database with the tables of the store, which `make` makes in a new one. */
export async function takeMysqlStore(make: (name: string) => Promise<void>): Promise<string> {
  const used = withStore.pop()
  if (used !== undefined) return used
  const name = await createMysqlDatabase()
  await make(name)
  made ??= await connected(async (connection) => {
    const rows = new Map<string, readonly unknown[]>()
    for (const [table] of await list(connection, tablesOf(name)))
      rows.set(String(table), await list(connection, `select * from ${name}.${table}`))
    return { rows, description: await describe(connection, name) }
  })
  return name
}

export async function dropMysqlDatabase(name: string): Promise<void> {
  await onMysqlServer(`drop database ${name}`)
}

/** Removes what is beside the tables of the store, and their rows; drops the database where they are not as they were made. */
export async function giveBackMysqlStore(name: string): Promise<void> {
  if (process.env[runVariable] !== undefined && (await isReset(name))) withStore.push(name)
  else await dropMysqlDatabase(name)
}

/** At the end of a run. */
export async function dropMysqlDatabases(): Promise<void> {
  const prefix = process.env[runVariable]
  if (prefix === undefined) return
  const rows = await onMysqlServer(
    `select schema_name from information_schema.schemata where left(schema_name, ${prefix.length + 1}) = '${prefix}_'`,
  )
  for (const [name] of rows) await dropMysqlDatabase(String(name))
}

/** Runs a statement on the tests' server, as its administrator. */
export function onMysqlServer(sql: string): Promise<readonly (readonly unknown[])[]> {
  return connected((connection) => list(connection, sql))
}

async function connected<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await createConnection({
    ...mysqlServer,
    connectTimeout: 10_000,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

async function list(connection: Connection, sql: string): Promise<readonly (readonly unknown[])[]> {
  const [rows] = await connection.query(sql)
  return rows as readonly (readonly unknown[])[]
}

const tablesOf = (name: string) =>
  `select table_name, table_type from information_schema.tables where table_schema = '${name}' order by table_name`

/** All that there is, except rows. */
async function describe(connection: Connection, name: string): Promise<string> {
  const found: unknown[] = []
  for (const [table] of await list(connection, tablesOf(name)))
    found.push(await list(connection, `show create table ${name}.\`${String(table).replaceAll('`', '``')}\``))
  const counts = await list(
    connection,
    `select (select count(*) from information_schema.triggers where trigger_schema = '${name}'),
      (select count(*) from information_schema.routines where routine_schema = '${name}'),
      (select count(*) from information_schema.events where event_schema = '${name}'),
      (select concat_ws(' ', default_character_set_name, default_collation_name) from information_schema.schemata where schema_name = '${name}')`,
  )
  return JSON.stringify([found, counts])
}

async function isReset(name: string): Promise<boolean> {
  const { rows, description } = made ?? {}
  if (rows === undefined) return false
  return connected(async (connection) => {
    const others = await list(
      connection,
      `select id from information_schema.processlist where db = '${name}'`,
    )
    // One that has ended meanwhile is not there any more.
    for (const [id] of others) await connection.query(`kill connection ${id}`).catch(() => undefined)
    await connection.query('set foreign_key_checks = 0, lock_wait_timeout = 30')
    for (const [table, kind] of await list(connection, tablesOf(name))) {
      const quoted = `${name}.\`${String(table).replaceAll('`', '``')}\``
      const kept = rows.get(String(table))
      if (kept === undefined) {
        await connection.query(
          `drop ${kind === 'VIEW' ? 'view' : kind === 'SEQUENCE' ? 'sequence' : 'table'} ${quoted}`,
        )
        continue
      }
      await connection.query(`delete from ${quoted}`)
      if (kept.length > 0) await connection.query(`insert into ${quoted} values ?`, [kept])
    }
    return (await describe(connection, name)) === description
  }).catch(() => false)
}
