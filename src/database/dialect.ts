import type { DatabaseSchema, Table } from './database-schema.ts'
import type { Connection, Driver, Statement } from './driver.ts'
import type { Syntax } from './syntax.ts'
import type { TableSpec } from './table-spec.ts'

/** Everything in which one database product differs from another. Nothing outside its folder names the product. */
export interface Dialect {
  readonly product: string
  readonly syntax: Syntax
  readonly ddl: Ddl
  /** Reads the catalogue; tables whose name starts with `gatehouse_` are the gateway's own and left out. */
  introspect(connection: Connection): Promise<DatabaseSchema>
}

export interface Ddl {
  /** Whether DDL can be undone by the transaction it runs in. */
  readonly transactional: boolean
  /** Creates tables that may refer to each other, with their keys and indexes. */
  createTables(specs: readonly TableSpec[]): readonly Statement[]
  /** Adds the columns that `wanted` has and `found` lacks, with their keys and indexes. */
  addColumns(found: Table, wanted: TableSpec): readonly Statement[]
  dropTable(name: string): readonly Statement[]
}

/** One connected database. */
export interface Database {
  readonly dialect: Dialect
  readonly driver: Driver
}
