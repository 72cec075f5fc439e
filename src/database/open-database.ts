import { type AccessFailure, mayPass } from './access-failure.ts'
import { DatabaseError } from './database-error.ts'
import type { Database } from './dialect.ts'
import type { StartThread } from './dialects/sqlite/connection-calls.ts'
import type { DriverSettings } from './driver.ts'
import { runAgain } from './run-again.ts'

/** Which database to connect to. */
export type DatabaseOptions = DriverSettings &
  ProductOptions & {
    /** A Redis server that carries the notices instead of the database. */
    readonly noticesUrl?: string
    /** Whether a database that a server does not have is created. */
    readonly createsDatabase?: true
  }

type ProductOptions =
  | {
      readonly product: 'sqlite'
      /** Path of the database file, or `:memory:`. */
      readonly file: string
      /** How many statements may read concurrently. */
      readonly readConnections: number
      /** How the threads of its connections start; absent for new ones. No option sets it. */
      readonly startThread?: StartThread
    }
  | {
      /** MySQL or MariaDB. */
      readonly product: 'mysql'
      /** Name or address of the server, or the path of its socket. */
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password?: string
      /** Name of the database. */
      readonly name: string
      /** Whether the connection is encrypted and the server's certificate verified. */
      readonly tls: boolean
      /** How many connections may be open; at least three. */
      readonly connections: number
    }
  | {
      readonly product: 'postgresql'
      /** Name or address of the server, or the folder of its socket. */
      readonly host: string
      readonly port: number
      readonly user: string
      readonly password?: string
      /** Name of the database. */
      readonly name: string
      /** The schemas whose tables are served; new tables are created in the first. */
      readonly schemas: readonly string[]
      /** Whether the connection is encrypted and the server's certificate verified. */
      readonly tls: boolean
      /** How many connections may be open; at least three. */
      readonly connections: number
      /** Whether a connection pooler in transaction mode is in front of the server; `auto` detects it. */
      readonly pooler?: 'auto' | 'none' | 'transaction'
    }

/**
 * Connects to a database. This is the only place that loads a dialect and driver, and only the needed one. Throws
 * `DatabaseError`, with the reason if the database cannot be used.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { driver, ...rest } = await openOrCreate(options)
  const database = { ...rest, driver: runAgain(driver) }
  if (options.noticesUrl === undefined) return database
  const { withRedisNotices } = await import('./redis-notices.ts')
  return withRedisNotices(database, options.noticesUrl)
}

async function openOrCreate(options: DatabaseOptions): Promise<Database> {
  try {
    return await openProduct(options)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (options.createsDatabase && absent.includes(error.accessFailure)) {
      await createDatabase(options, error)
      return openProduct(options)
    }
    throw (await isOtherServer(options, error)) ? withFailure(error, 'otherServer') : error
  }
}

/** A server may hide from a user that a database does not exist. */
const absent: readonly (AccessFailure | undefined)[] = ['unknownDatabase', 'notAllowed']

async function createDatabase(options: DatabaseOptions, found: DatabaseError): Promise<void> {
  try {
    if (options.product === 'postgresql') {
      const { createPostgresqlDatabase } = await import('./dialects/postgresql/create-database.ts')
      await createPostgresqlDatabase(options)
    }
    if (options.product === 'mysql') {
      const { createMysqlDatabase } = await import('./dialects/mysql/create-database.ts')
      await createMysqlDatabase(options)
    }
  } catch (error) {
    if (!(error instanceof DatabaseError) || mayPass(error.accessFailure)) throw error
    throw withFailure(found.accessFailure === 'unknownDatabase' ? error : found, 'mayNotCreate')
  }
}

/** Whether another kind of server is at the address, after an error that does not say what is wrong. */
async function isOtherServer(options: DatabaseOptions, { accessFailure }: DatabaseError): Promise<boolean> {
  if (options.product === 'sqlite' || options.host.startsWith('/')) return false
  if (accessFailure !== undefined && accessFailure !== 'silent') return false
  const product =
    options.product === 'mysql'
      ? await import('./dialects/mysql/access-failure.ts')
      : await import('./dialects/postgresql/access-failure.ts')
  return product.isOtherServer(options)
}

function withFailure(error: DatabaseError, accessFailure: AccessFailure): DatabaseError {
  return new DatabaseError(error.kind, error.message, { accessFailure, cause: error.cause })
}

async function openProduct(options: DatabaseOptions): Promise<Database> {
  switch (options.product) {
    case 'sqlite': {
      const [{ sqliteDialect }, { openSqliteDriver }] = await Promise.all([
        import('./dialects/sqlite/dialect.ts'),
        import('./dialects/sqlite/driver.ts'),
      ])
      return { dialect: sqliteDialect, driver: await openSqliteDriver(options) }
    }
    case 'mysql': {
      const [{ mysqlDialect }, { openMysqlDriver }] = await Promise.all([
        import('./dialects/mysql/dialect.ts'),
        import('./dialects/mysql/driver.ts'),
      ])
      const driver = await openMysqlDriver(options)
      return { dialect: await mysqlDialect(driver), driver }
    }
    case 'postgresql': {
      const [
        { postgresqlDialect },
        { openPostgresqlDriver },
        { clientConfig },
        { postgresqlNotices },
        { isPooled },
      ] = await Promise.all([
        import('./dialects/postgresql/dialect.ts'),
        import('./dialects/postgresql/driver.ts'),
        import('./dialects/postgresql/connect.ts'),
        import('./dialects/postgresql/notices.ts'),
        import('./dialects/postgresql/pooler.ts'),
      ])
      const pooled = await isPooled(options)
      return {
        dialect: postgresqlDialect(options.schemas),
        driver: await openPostgresqlDriver(options, pooled),
        notices: postgresqlNotices(clientConfig(options), pooled),
      }
    }
  }
}
