/**
 * The tables found in a database, in one shape for every product. `dialects/<product>/introspect.ts`
 * reads it from the database's own catalogue.
 */

/**
 * What a column holds, as far as the code above a dialect needs to know it.
 * `integer` fits 32 bits, `bigint` 64; `boolean` is a native boolean, not the integer column of an
 * entity definition; `other` is shown by the database's own text form.
 */
export type ColumnType =
  | 'string'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'json'
  | 'binary'
  | 'other'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** The type as the database calls it. */
  readonly nativeType: string
  /** A `bigint` that has no sign: its values go up to twice as far. */
  readonly unsigned?: boolean
  readonly nullable: boolean
  readonly hasDefault: boolean
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly referencedTable: string
  readonly referencedColumns: readonly string[]
}

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'view'
  /** In the order of the database. */
  readonly columns: ReadonlyMap<string, Column>
  /** Empty where there is none. */
  readonly primaryKey: readonly string[]
  /** Unique keys other than the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}

export interface DatabaseSchema {
  /** By name, sorted by name. */
  readonly tables: ReadonlyMap<string, Table>
}
