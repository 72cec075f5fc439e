import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'

/** A change to the rows of one table, with its values as columns store them. */
export type MutatePlan =
  | {
      readonly kind: 'insert'
      readonly table: Table
      readonly columns: readonly Column[]
      /** Each as long as `columns`. */
      readonly rows: readonly (readonly SqlValue[])[]
      /** The columns to return of the changed rows, if requested and supported by the product. */
      readonly returning?: readonly Column[]
      readonly shown?: ShownList | undefined
    }
  | {
      readonly kind: 'update'
      readonly table: Table
      readonly values: ReadonlyMap<Column, SqlValue>
      readonly key: RowKey
    }
  | {
      readonly kind: 'delete'
      readonly table: Table
      readonly key: RowKey
      /** The columns to return of the former row, on products that support it. */
      readonly returning?: readonly Column[]
    }

/**
 * What a statement returns of the row that it inserts, so that none has to read it: the list of a select, in the SQL of the product. An update
 * would return its row before foreign keys with `on update cascade` change it.
 */
export type ShownList = string

/** Identifies one row, by the values of columns that are unique together. */
export type RowKey = readonly { readonly column: Column; readonly value: SqlValue }[]
