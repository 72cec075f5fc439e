import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'

/** A change to the rows of one table, with its values in the form that columns hold. */
export type MutatePlan =
  | {
      readonly kind: 'insert'
      readonly table: Table
      readonly columns: readonly Column[]
      /** Each as long as `columns`. */
      readonly rows: readonly (readonly SqlValue[])[]
      /** The columns that tell what the rows have become, where that is asked for and the product can tell. */
      readonly returning?: readonly Column[]
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
      /** The columns that tell what the row was, on products that can tell. */
      readonly returning?: readonly Column[]
    }

/** The one row that is meant, by the values of columns that together tell rows apart. */
export type RowKey = readonly { readonly column: Column; readonly value: SqlValue }[]
