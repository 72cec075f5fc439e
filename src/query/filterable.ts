import type { Column, Table } from '../database/database-schema.ts'

/** What clients may filter and sort by: the names in requests, and the columns behind them. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>
  /** The rows that the name of a reference leads to, if filters may follow it. */
  readonly related?: (name: string) => RelatedRows | undefined
  /** The global id, if the table has a key: the columns of the key together. */
  readonly globalId?: {
    readonly name: string
    readonly typeName: string
    /** Former names of the type: ids with these names stay valid. */
    readonly earlierTypeNames?: readonly string[]
    readonly key: readonly Column[]
    readonly rowNumber?: Column
  }
}

/** The rows of another table that belong to one: those with the same values in `other` as it has in `own`. */
interface RelatedRows {
  readonly table: Table
  readonly own: readonly Column[]
  readonly other: readonly Column[]
  readonly filterable: Filterable
}
