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
    }
  | {
      readonly kind: 'update'
      readonly table: Table
      readonly values: ReadonlyMap<Column, SqlValue>
      readonly key: RowKey
    }
  | { readonly kind: 'delete'; readonly table: Table; readonly key: RowKey }

/** The one row that is meant, by a column that tells rows apart. */
export interface RowKey {
  readonly column: Column
  readonly value: SqlValue
}
