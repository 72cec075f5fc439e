import type { ForeignKey } from './database-schema.ts'

/** The table we want to exist; a dialect's `ddl.ts` says it in its product's words. */
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

/** What a column of ours holds. Every product stores each so that the same data sorts and reads the same. */
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
  /** What existing rows get when the column is added: a value in the form `Statement.parameters` takes. */
  readonly fill?: string | number | null
}
