import type { Filter } from './filter.ts'

/** What a caller may read of a table: the same for every way to its rows. */
export interface TableRights {
  /** The rows that are reached; undefined for all. */
  readonly rows: Filter | undefined
  /** By the name of a column that is given on some of the reached rows only: on which. On the others it is null. */
  readonly masks: ReadonlyMap<string, Filter>
}
