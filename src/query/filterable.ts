import type { Column } from '../database/database-schema.ts'

/** What clients may filter and sort by: the names they use, and what stands behind each. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>
  /** The global id, where the table has a key: its columns taken together. */
  readonly globalId?: { readonly name: string; readonly typeName: string; readonly key: readonly Column[] }
}
