import type { CatalogMark } from './catalog-mark.ts'
import type { Conversion, ConversionName } from './conversion.ts'
import type { Column, DatabaseSchema } from './database-schema.ts'
import type { Connection, Driver, Statement } from './driver.ts'
import type { Notices } from './notices.ts'
import type { Syntax } from './syntax.ts'
import type { TableCatalog } from './table-catalog.ts'
import type { TableChange } from './table-change.ts'
import type { ColumnSpec, TableSpec } from './table-spec.ts'

/** Everything in which database products differ. Nothing outside its folder names the product. */
export interface Dialect {
  readonly product: string
  /** Present if the database is a file that only one process uses. */
  readonly embedded?: true
  readonly syntax: Syntax
  readonly ddl: Ddl
  /** Ensures that only one program at a time changes tables; absent if a transaction ensures that by itself. */
  readonly tableLock?: TableLock
  /** Reads the catalogue, without the gateway's own tables, whose names start with `gatehouse_`. */
  introspect(connection: Connection): Promise<DatabaseSchema>
  /**
   * Reads the state of the catalogue, to compare it with an earlier one (`before`); cheap enough to do it regularly.
   */
  lookAtCatalog(connection: Connection, before?: CatalogMark): Promise<CatalogMark>
  /** Selects one text: the version of the database. */
  readonly versionQuery: string
  /**
   * Reads how many rows tables have, by their ids, as the database estimates it without counting; without those of which it
   * knows nothing.
   */
  estimateRows(connection: Connection): Promise<ReadonlyMap<string, number>>
  /**
   * How the database would run a statement with these values, in lines for people. The statement is not run; the lines may
   * contain the values.
   */
  explainPlan(connection: Connection, statement: Statement): Promise<readonly string[]>
  /** Present if the server tells how it would change rows only in a transaction that may do so. */
  readonly explainsChangesInTransactions?: true
  /** Reads the names of keys, for changes of tables. */
  readCatalog(connection: Connection): Promise<TableCatalog>
}

export interface Ddl {
  /** Whether DDL is rolled back with its transaction. */
  readonly transactional: boolean
  /**
   * Creates tables that may reference each other, with their keys and indexes. If DDL is not transactional, the statements
   * may be run again: what exists stays, or is refused as `alreadyThere`.
   */
  createTables(specs: readonly TableSpec[]): readonly Statement[]
  /** Performs changes, in order. The statements of one step run together. */
  changeTables(changes: readonly TableChange[], catalog: TableCatalog): readonly DdlStep[]
  /**
   * Whether the product rebuilds a table for these changes from its catalogue, so that other properties of the table
   * are lost.
   */
  rebuildsTable(changes: readonly TableChange[], catalog: TableCatalog): boolean
  /** What a change costs. */
  effortOf(change: TableChange): Effort
  /** Whether an existing column is as wanted, except for its name and whether it may be null. */
  hasType(found: Column, wanted: ColumnSpec): boolean
  /** How values of a column (`expression` is its quoted name) are converted to another type. */
  conversion(name: ConversionName, expression: string): Conversion
  /** Run on a connection before it changes tables, to limit how long it waits for locks. */
  boundLocks(tables: readonly string[]): readonly Statement[]
  /** Run afterwards, before the connection is used by others. */
  readonly unboundLocks: readonly Statement[]
}

/** Statements that run together. */
export interface DdlStep {
  /** The changes, as positions in the requested list. */
  readonly changes: readonly number[]
  readonly statements: readonly Statement[]
}

/** How a change affects a table of many rows while it runs. */
export interface Effort {
  /** `instant` whatever the number of rows; `read` once in full; `rewritten` in full. */
  readonly table: 'instant' | 'read' | 'rewritten'
  /** What is blocked meanwhile. */
  readonly blocks: 'nothing' | 'writes' | 'everything'
}

/** A lock that ends with the connection that holds it, however that ends. */
export interface TableLock {
  /** Whether the connection got the lock. */
  take(connection: Connection): Promise<boolean>
  release(connection: Connection): Promise<void>
  /** Closes the connection that holds the lock, whatever it is doing. */
  evict(connection: Connection): Promise<void>
}

/** One connected database. */
export interface Database {
  readonly dialect: Dialect
  readonly driver: Driver
  /** Absent if the product has none. */
  readonly notices?: Notices
  /** Whether it did not exist, and was created when it was opened. */
  readonly isNew?: true
}
