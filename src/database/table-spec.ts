import type { ForeignKey } from './database-schema.ts'

/** A table to create; a dialect's `ddl.ts` writes it in SQL. */
export interface TableSpec {
  readonly name: string
  readonly columns: readonly ColumnSpec[]
  readonly primaryKey: readonly string[]
  /** Column lists that must be unique, other than the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  /** Column lists to be indexed, other than keys. */
  readonly indexes: readonly (readonly string[])[]
}

/** The type of a column in our tables. Every product stores each so that the same data sorts and reads the same. */
export type SpecType =
  | 'string'
  | 'text'
  | 'smallInteger'
  | 'integer'
  | 'bigInteger'
  | 'float'
  | 'decimal'
  | 'dateTime'
  | 'date'
  | 'jsonText'

export interface ColumnSpec {
  readonly name: string
  readonly type: SpecType
  readonly nullable: boolean
  /** The value for existing rows when the column is added: in the form that `Statement.parameters` takes. */
  readonly fill?: string | number | null
}
