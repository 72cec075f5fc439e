import type { Database } from './dialect.ts'
import type { DriverLimits } from './driver.ts'
import { retryDeadlocks } from './retry-deadlocks.ts'

/** Which database to connect to. */
export type DatabaseOptions = DriverLimits &
  ProductOptions & {
    /** Redis that carries the notices, in place of the database. */
    readonly noticesUrl?: string
  }

type ProductOptions =
  | {
      readonly product: 'sqlite'
      /** Path of the database file, or `:memory:`. */
      readonly file: string
      /** How many statements may read at the same time. */
      readonly readConnections: number
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
      /** Whether the connection is encrypted and the server's certificate checked. */
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
      /** The schemas whose tables are served; new tables are made in the first. */
      readonly schemas: readonly string[]
      /** Whether the connection is encrypted and the server's certificate checked. */
      readonly tls: boolean
      /** How many connections may be open; at least three. */
      readonly connections: number
      /** Who reads rows that are passed on: `bytes` is our own reader, `values` the one of the driver. */
      readonly rowReader?: 'bytes' | 'values'
      /** Whether a connection pooler in transaction mode is in front of the server; `auto` finds out. */
      readonly pooler?: 'auto' | 'none' | 'transaction'
    }

/** Connects to a database. A dialect and its driver are loaded only here, and only the one that is needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { driver, ...rest } = await openProduct(options)
  const database = { ...rest, driver: retryDeadlocks(driver) }
  if (options.noticesUrl === undefined) return database
  const { withRedisNotices } = await import('./redis-notices.ts')
  return withRedisNotices(database, options.noticesUrl)
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
