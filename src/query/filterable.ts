import type { Column } from '../database/database-schema.ts'

/** What clients may filter and sort by: the names in requests, and the columns behind them. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>
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
