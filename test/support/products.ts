import { join } from 'node:path'
import { cancellationCheckFunction } from '../../src/database/dialects/sqlite/connection-calls.ts'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { startKeptThread } from './kept-threads.ts'
import { has } from './machine.ts'
import {
  createMysqlDatabase,
  dropMysqlDatabase,
  giveBackMysqlStore,
  mysqlServer,
  onMysqlServer,
  takeMysqlStore,
} from './mysql-databases.ts'
import {
  giveBackPostgresqlDatabase,
  giveBackPostgresqlStore,
  onPostgresqlServer,
  postgresqlServer,
  takePostgresqlDatabase,
  takePostgresqlStore,
} from './postgresql-databases.ts'
import { makeStore } from './store-template.ts'
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
  /** With the tables of the store where that is wanted, and the product is a server: they are not made for each test. */
  createDatabase(wanted?: { readonly withStore?: boolean }): Promise<TestDatabase>
  /** Makes the view `Slow` with the column `id`, whose rows take longer than any test. */
  readonly slowView: string
  /** A select that gives a 1 after about as many hundredths of a second as its value says. */
  readonly slowSelect: string
  /** The type of a column that holds bytes. */
  readonly bytesType: string
  /** The type and the rules of a column that is the key of its table, and that the database numbers. */
  readonly numberedKey: string
  /** An expression whose value is not a number, where there are such. */
  readonly notANumber?: string
  /** Present where anyone who reads may write as well. */
  readonly readersWrite?: true
  /** How many statements run in a database now, besides this question; undefined where only the program itself knows. */
  runningStatements?(options: DatabaseOptions): Promise<number>
  /** Ends the connections to a database, as the administrator of its server can; absent where there is no server. */
  endConnections?(options: DatabaseOptions): Promise<void>
}

const sqlite: TestProduct = {
  name: 'SQLite',
  async createDatabase() {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'data.sqlite')
    const options = { product: 'sqlite', file, readConnections: 4, ...testLimits } as const
    return { options: { ...options, startThread: startKeptThread }, remove: folder.remove }
  },
  slowView:
    'create view Slow as with recursive numbers (id) as (select 1 union all select id + 1 from numbers) select id from numbers where id < 0',
  slowSelect: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ? * 10000 and ${cancellationCheckFunction}()) select max(i) > 0 from n`,
  bytesType: 'blob',
  numberedKey: 'integer primary key',
  readersWrite: true,
}

const mysql: TestProduct = {
  name: 'MariaDB',
  async createDatabase({ withStore = false } = {}) {
    const optionsOf = (name: string): DatabaseOptions => ({
      product: 'mysql',
      ...mysqlServer,
      name,
      tls: false,
      connections: 8,
      ...testLimits,
    })
    if (withStore) {
      const name = await takeMysqlStore((made) => makeStore(optionsOf(made)))
      return { options: optionsOf(name), remove: () => giveBackMysqlStore(name) }
    }
    const name = await createMysqlDatabase()
    return { options: optionsOf(name), remove: () => dropMysqlDatabase(name) }
  },
  slowView: 'create view Slow as select sleep(100) as id',
  slowSelect: 'select 1 from (select sleep(? / 100)) s',
  bytesType: 'longblob',
  numberedKey: 'integer auto_increment primary key',
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onMysqlServer(
      `select count(*) from information_schema.processlist where db = '${name}' and command in ('Query', 'Execute')`,
    )
    return Number(rows[0]?.[0])
  },
  async endConnections(options) {
    const { name } = options as { readonly name: string }
    const rows = await onMysqlServer(`select id from information_schema.processlist where db = '${name}'`)
    // One that has ended meanwhile is not there any more.
    for (const [id] of rows) await onMysqlServer(`kill connection ${id}`).catch(() => undefined)
  },
}

const postgresql: TestProduct = {
  name: 'PostgreSQL',
  async createDatabase({ withStore = false } = {}) {
    const server = { ...postgresqlServer, schemas: ['public'], tls: false, connections: 8 }
    const optionsOf = (name: string): DatabaseOptions => ({
      product: 'postgresql',
      ...server,
      name,
      ...testLimits,
    })
    if (withStore) {
      const name = await takePostgresqlStore((made) => makeStore(optionsOf(made)))
      return { options: optionsOf(name), remove: () => giveBackPostgresqlStore(name) }
    }
    const name = await takePostgresqlDatabase()
    return { options: optionsOf(name), remove: () => giveBackPostgresqlDatabase(name) }
  },
  slowView: 'create view "Slow" as select 1 as id from pg_sleep(100)',
  slowSelect: 'select 1 from (select pg_sleep(?::float8 / 100)) s',
  bytesType: 'bytea',
  numberedKey: 'integer generated always as identity primary key',
  notANumber: "'NaN'::float8",
  async runningStatements(options) {
    const { name } = options as { readonly name: string }
    const rows = await onPostgresqlServer(
      `select count(*) from pg_stat_activity where datname = '${name}' and state = 'active'`,
    )
    return Number(rows[0]?.[0])
  },
  async endConnections(options) {
    const { name } = options as { readonly name: string }
    await onPostgresqlServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
  },
}

/** The same without what only makes reads faster. */
const postgresqlPlainReads: TestProduct = {
  ...postgresql,
  name: 'PostgreSQL plain reads',
  async createDatabase(wanted) {
    const { options, remove } = await postgresql.createDatabase(wanted)
    return { options: { ...options, fastReads: false }, remove }
  },
}

/** The products that a run is for, by `TEST_PRODUCTS` of the environment: names, separated by commas; all where it is absent. */
const wanted = process.env.TEST_PRODUCTS?.split(',')
const isWanted = ({ name }: TestProduct) => wanted?.includes(name) ?? true

const servedPostgresql = has('PostgreSQL') ? [postgresql].filter(isWanted) : []
const servedMysql = has('MariaDB') ? [mysql] : []

/** The products that this machine has. */
export const products: readonly TestProduct[] = [sqlite, ...servedPostgresql, ...servedMysql].filter(isWanted)

/**
 * The one with this name, or else the first: for tests of what is above the statements and the store, and of rules that random
 * tests check on each product. All of them where `TEST_PRODUCTS` names them, as `.ci/run` does, and with the long tests.
 */
export function anyProduct(name: string): readonly TestProduct[] {
  if (wanted !== undefined || process.env.TEST_CASES !== undefined) return products
  const named = products.filter((product) => product.name === name)
  return named.length > 0 ? named : products.slice(0, 1)
}

/** The one with this name, if not every case runs: all where `TEST_PRODUCTS` names them, and in `npm run test:long`. */
export function mainProduct(name: string): readonly TestProduct[] {
  if (Number(process.env.TEST_CASES ?? 0) >= 10_000) return products
  return wanted === undefined ? products.filter((product) => product.name === name) : products
}

/** The same, with a product once for each way in which its rows are read. */
export const readers: readonly TestProduct[] = [
  ...products,
  ...servedPostgresql.map(() => postgresqlPlainReads),
]
