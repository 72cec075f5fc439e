import type { Database } from './dialect.ts'

/** Which database to connect to. */
export interface DatabaseOptions {
  readonly product: 'sqlite'
  /** Path of the database file, or `:memory:`. */
  readonly file: string
  /** How many statements may read at the same time. */
  readonly readConnections: number
}

/** Connects to a database. A dialect and its driver are loaded only here, and only the one that is needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  switch (options.product) {
    case 'sqlite': {
      const [{ sqliteDialect }, { openSqliteDriver }] = await Promise.all([
        import('./dialects/sqlite/dialect.ts'),
        import('./dialects/sqlite/driver.ts'),
      ])
      return { dialect: sqliteDialect, driver: await openSqliteDriver(options) }
    }
  }
}
