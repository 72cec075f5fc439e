import type { Observer } from '../observe/events.ts'
import { type AccessFailure, mayPass } from './access-failure.ts'
import { DatabaseError } from './database-error.ts'
import type { Database } from './dialect.ts'
import type { PostgresqlDriverOptions } from './dialects/postgresql/connect.ts'
import type { SqliteDriverOptions } from './dialects/sqlite/driver.ts'
import type { ServerDriverSettings } from './driver.ts'
import { observeStatements } from './observe-statements.ts'
import { runAgain } from './run-again.ts'

/** Which database to connect to. */
export type DatabaseOptions = ProductOptions & {
  /** A Redis server that carries the notices instead of the database. */
  readonly noticesUrl?: string
  /** Whether a database that a server does not have is created. */
  readonly createsDatabase?: true
}

/** `mysql` is MySQL or MariaDB. */
type ProductOptions =
  | ({ readonly product: 'sqlite' } & SqliteDriverOptions)
  | ({ readonly product: 'mysql' } & ServerDriverSettings)
  | ({ readonly product: 'postgresql' } & PostgresqlDriverOptions)

/**
 * Connects to a database, whose statements are told to an observer. This is the only place that loads a dialect and driver, and only the
 * needed one. Throws `DatabaseError`, with the reason if the database cannot be used.
 */
export async function openDatabase(options: DatabaseOptions, observe?: Observer): Promise<Database> {
  const { driver, ...rest } = await openOrCreate(options)
  const opened = { ...rest, driver: runAgain(driver) }
  const database = observe === undefined ? opened : observeStatements(opened, observe)
  if (options.noticesUrl === undefined) return database
  const { withRedisNotices } = await import('./redis-notices.ts')
  return { ...database, ...withRedisNotices(database, options.noticesUrl) }
}

async function openOrCreate(options: DatabaseOptions): Promise<Database> {
  try {
    return await openProduct(options)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (options.createsDatabase && absent.includes(error.accessFailure)) {
      const isNew = await createDatabase(options, error)
      return { ...(await openProduct(options)), ...(isNew && { isNew }) }
    }
    throw (await isOtherServer(options, error)) ? withFailure(error, 'otherServer') : error
  }
}

/** A server may hide from a user that a database does not exist. */
const absent: readonly (AccessFailure | undefined)[] = ['unknownDatabase', 'notAllowed']

/** Returns false if another gateway has created it meanwhile. */
async function createDatabase(options: DatabaseOptions, found: DatabaseError): Promise<boolean> {
  try {
    if (options.product === 'postgresql') {
      const { createPostgresqlDatabase } = await import('./dialects/postgresql/create-database.ts')
      return await createPostgresqlDatabase(options)
    }
    if (options.product === 'mysql') {
      const { createMysqlDatabase } = await import('./dialects/mysql/create-database.ts')
      return await createMysqlDatabase(options)
    }
    return false
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
