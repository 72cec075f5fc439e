import type { Column } from '../database/database-schema.ts'

/** What clients may filter and sort by: the names they use, and what stands behind each. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>
  /** The global id, where the table has a key: its columns taken together. */
  readonly globalId?: {
    readonly name: string
    readonly typeName: string
    /** What the type was called before: ids that name it so go on. */
    readonly earlierTypeNames?: readonly string[]
    readonly key: readonly Column[]
    readonly rowNumber?: Column
  }
}
