import type { CatalogMark } from './catalog-mark.ts'
import type { Conversion, ConversionName } from './conversion.ts'
import type { Column, DatabaseSchema } from './database-schema.ts'
import type { Connection, Driver, Statement } from './driver.ts'
import type { Notices } from './notices.ts'
import type { Syntax } from './syntax.ts'
import type { TableCatalog } from './table-catalog.ts'
import type { TableChange } from './table-change.ts'
import type { ColumnSpec, TableSpec } from './table-spec.ts'

/** Everything in which one database product differs from another. Nothing outside its folder names the product. */
export interface Dialect {
  readonly product: string
  /** Present where the database is a file that one process works with. */
  readonly embedded?: true
  readonly syntax: Syntax
  readonly ddl: Ddl
  /** Lets one of several programs at a time change tables; absent where a transaction does that by itself. */
  readonly tableLock?: TableLock
  /** Reads the catalogue; tables whose name starts with `gatehouse_` are the gateway's own and left out. */
  introspect(connection: Connection): Promise<DatabaseSchema>
  /** Looks whether the catalogue is as it was at another look (`before`); cheap enough to do it again and again. */
  lookAtCatalog(connection: Connection, before?: CatalogMark): Promise<CatalogMark>
  /** Reads the names of keys, for changes of tables. */
  readCatalog(connection: Connection): Promise<TableCatalog>
}

export interface Ddl {
  /** Whether DDL can be undone by the transaction it runs in. */
  readonly transactional: boolean
  /** Creates tables that may refer to each other, with their keys and indexes; those that are there already stay. */
  createTables(specs: readonly TableSpec[]): readonly Statement[]
  /** Carries out changes, in their order. What is in one step is done together. */
  changeTables(changes: readonly TableChange[], catalog: TableCatalog): readonly DdlStep[]
  /**
   * Whether the product makes a table again for changes of it, by what its catalogue says: what else somebody said of the
   * table would be lost.
   */
  makesAnew(changes: readonly TableChange[], catalog: TableCatalog): boolean
  /** What a change costs. */
  effortOf(change: TableChange): Effort
  /** Whether a column that was found is what was wanted, but for its name and whether it may be null. */
  hasType(found: Column, wanted: ColumnSpec): boolean
  /** How values of a column (`expression` is its quoted name) become those of another type. */
  conversion(name: ConversionName, expression: string): Conversion
  /** Run on a connection before it changes tables, so that it gives up soon when others use them. */
  boundLocks(tables: readonly string[]): readonly Statement[]
  /** Run on it afterwards, before others get the connection. */
  readonly unboundLocks: readonly Statement[]
}

/** Statements that are done together. */
export interface DdlStep {
  /** The changes, as positions in the list that was asked for. */
  readonly changes: readonly number[]
  readonly statements: readonly Statement[]
}

/** What a change does to a table of many rows while it is made. */
export interface Effort {
  /** `instant` whatever the number of rows; `read` once through; `rewritten` whole. */
  readonly table: 'instant' | 'read' | 'rewritten'
  /** What waits as long as it takes. */
  readonly blocks: 'nothing' | 'writes' | 'everything'
}

/** A lock that ends with the connection that has it, however that ends. */
export interface TableLock {
  /** Whether the connection has it now. */
  take(connection: Connection): Promise<boolean>
  release(connection: Connection): Promise<void>
  /** Ends the connection that has it, with whatever it is doing. */
  evict(connection: Connection): Promise<void>
}

/** One connected database. */
export interface Database {
  readonly dialect: Dialect
  readonly driver: Driver
  /** Absent where the product has none. */
  readonly notices?: Notices
}
