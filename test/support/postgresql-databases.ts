/**
 * The databases of a run on the tests' PostgreSQL: a new one takes ten times the work of emptying one, and one with the tables of
 * the store takes four times the work of emptying those.
 */
import { randomBytes } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { PostgresqlStore } from './postgresql-store.ts'
import { runVariable } from './run-variable.ts'

/** Where the tests' PostgreSQL server is. */
export const postgresqlServer = {
  host: process.env.TEST_POSTGRESQL_HOST ?? '127.0.0.1',
  port: Number(process.env.TEST_POSTGRESQL_PORT ?? 5432),
  user: process.env.TEST_POSTGRESQL_USER ?? 'postgres',
  password: process.env.TEST_POSTGRESQL_PASSWORD ?? '',
}

/** Of this process, emptied. Outside a test run, no one would remove them in the end, and there are none. */
const empty: string[] = []
/** The same, with the tables of the store as they were made. */
const withStore: string[] = []
const store = new PostgresqlStore(onPostgresqlServer)

/** The name of a database that no one else uses, with nothing in it. */
export async function takePostgresqlDatabase(): Promise<string> {
  return empty.pop() ?? createDatabase()
}

/** The same with the tables of the store, which `make` makes in a new one. */
export async function takePostgresqlStore(make: (name: string) => Promise<void>): Promise<string> {
  const used = withStore.pop()
  if (used !== undefined) return used
  const name = await takePostgresqlDatabase()
  await make(name)
  await store.remember(name)
  return name
}

async function createDatabase(): Promise<string> {
  const name = `${process.env[runVariable] ?? 'gatehouse_test'}_${randomBytes(6).toString('hex')}`
  await onPostgresqlServer(`create database ${name} encoding 'UTF8' template template0`)
  return name
}

/** Empties the database for the next test, or drops it. Anyone who is connected to it is not any more. */
export async function giveBackPostgresqlDatabase(name: string): Promise<void> {
  if (process.env[runVariable] !== undefined && (await isEmptied(name))) empty.push(name)
  else await dropDatabase(name)
}

/** The same of one with the tables of the store, which stay where they are as they were made. */
export async function giveBackPostgresqlStore(name: string): Promise<void> {
  if (process.env[runVariable] !== undefined && (await store.isReset(name))) withStore.push(name)
  else await giveBackPostgresqlDatabase(name)
}

/** At the end of a run. */
export async function dropPostgresqlDatabases(): Promise<void> {
  const prefix = process.env[runVariable]
  if (prefix === undefined) return
  const rows = await onPostgresqlServer(
    `select datname from pg_database where starts_with(datname, '${prefix}_')`,
  )
  for (const [name] of rows) await dropDatabase(String(name))
}

function dropDatabase(name: string): Promise<unknown> {
  return onPostgresqlServer(`drop database ${name} with (force)`)
}

/** As `template0` is: extensions and schemas are all that tests put into a database. */
const emptying = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  do $$
  declare name text;
  begin
    for name in select quote_ident(extname) from pg_extension where extname <> 'plpgsql' loop
      execute format('drop extension %s cascade', name);
    end loop;
    for name in select quote_ident(nspname) from pg_namespace where nspname !~ '^(pg_|information_schema$)' loop
      execute format('drop schema %s cascade', name);
    end loop;
    create schema public;
    grant usage on schema public to public;
    if current_setting('server_version_num')::int < 150000 then
      grant create on schema public to public;
    else
      alter schema public owner to pg_database_owner;
    end if;
  end $$`

/** False where that takes more than the server can do in one transaction. */
async function isEmptied(name: string): Promise<boolean> {
  try {
    await onPostgresqlServer(`set client_min_messages = warning; ${emptying}`, name)
    return true
  } catch {
    return false
  }
}

/** Runs statements on the tests' server, as its administrator; gives the rows of the last one. */
export async function onPostgresqlServer(
  sql: string,
  database = 'postgres',
): Promise<readonly (readonly unknown[])[]> {
  const options: ClientConfig = { ...postgresqlServer, database, connectionTimeoutMillis: 10_000 }
  const client = new Client(options)
  await client.connect()
  try {
    const result: unknown = await client.query({ text: sql, rowMode: 'array' })
    const last = (Array.isArray(result) ? result.at(-1) : result) as { readonly rows: readonly unknown[][] }
    return last.rows
  } finally {
    await client.end()
  }
}
