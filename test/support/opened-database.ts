import { afterAll, beforeAll } from 'vitest'
import type { Column, Table } from '../../src/database/database-schema.ts'
import type { Database } from '../../src/database/dialect.ts'
import type { Driver, DriverSettings, Statement } from '../../src/database/driver.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { render, type SqlFragment } from '../../src/database/sql.ts'
import type { Row, SqlValue } from '../../src/database/sql-value.ts'
import { withSortOrder } from '../../src/database/table-order.ts'
import type { TableSpec } from '../../src/database/table-spec.ts'
import type { TestDatabase, TestProduct } from './products.ts'
import { createTables } from './sample-database.ts'

/** A database that all tests of a suite use. */
export interface OpenedDatabase {
  readonly created: TestDatabase
  readonly database: Database
  readonly driver: Driver
  /** A statement with `?` for each of its values. */
  statement(text: string, ...values: readonly SqlValue[]): Statement
  execute(text: string, ...values: readonly SqlValue[]): Promise<number>
  query(text: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>
  /** The same for SQL in the making. */
  rows(fragment: SqlFragment<SqlValue>): Promise<readonly Row[]>
  create(...tables: readonly TableSpec[]): Promise<void>
  /** A table as it is found, of those that uploads make. */
  table(name: string): Promise<Table>
  column(table: string, name: string): Promise<Column>
  /** Another driver of the same database, which is closed with it. */
  open(settings?: Partial<DriverSettings>): Promise<Database>
}

/** Makes a database before the first test of a suite, and removes it behind the last one. */
export function openForSuite(
  product: TestProduct,
  prepare: (opened: OpenedDatabase) => Promise<unknown> = async () => undefined,
): OpenedDatabase {
  let created: TestDatabase | undefined
  const databases: Database[] = []
  const database = () => {
    const [first] = databases
    if (first === undefined) throw new Error('the database is not open yet')
    return first
  }
  const known = () => {
    if (created === undefined) throw new Error('the database is not made yet')
    return created
  }

  const opened: OpenedDatabase = {
    get created() {
      return known()
    },
    get database() {
      return database()
    },
    get driver() {
      return database().driver
    },
    statement: (text, ...parameters) => {
      // A text without values may have the sign in a name.
      if (parameters.length === 0) return { sql: text, parameters }
      let position = 0
      const sql = text.replaceAll('?', () => {
        position += 1
        return database().dialect.syntax.placeholder(position)
      })
      return { sql, parameters }
    },
    execute: (text, ...values) =>
      opened.driver.transaction((connection) => connection.execute(opened.statement(text, ...values))),
    query: (text, ...values) =>
      opened.driver.read((connection) => connection.query(opened.statement(text, ...values))),
    rows: (fragment) =>
      opened.driver.read((connection) =>
        connection.query(render(fragment, database().dialect.syntax.placeholder)),
      ),
    create: (...tables) => createTables(database(), tables),
    table: async (name) => {
      const found = await opened.driver.read((connection) => database().dialect.introspect(connection))
      const table = withSortOrder(found, new Set(found.tables.keys()), 'native').tables.get(name)
      if (table === undefined) throw new Error(`there is no table ${name}`)
      return table
    },
    column: async (table, name) => {
      const column = (await opened.table(table)).columns.get(name)
      if (column === undefined) throw new Error(`there is no column ${name}`)
      return column
    },
    open: async (settings) => {
      const another = await openDatabase({ ...known().options, ...settings })
      databases.push(another)
      return another
    },
  }

  beforeAll(async () => {
    created = await product.createDatabase()
    await opened.open()
    await prepare(opened)
  })
  afterAll(async () => {
    for (const { driver } of databases.splice(0)) await driver.close()
    await created?.remove()
  })
  return opened
}
