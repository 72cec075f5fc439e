import type { Column, Table } from '../database/database-schema.ts'
import type { RowLock } from '../database/syntax.ts'
import type { Filter } from './filter.ts'
import type { ValueSource } from './value-source.ts'

export interface OrderTerm {
  readonly column: Column
  readonly direction: 'asc' | 'desc'
}

/** A place in a sorted list, given by a cursor. */
export interface CursorSource {
  readonly source: ValueSource
  /** For each order term whether the cursor holds a null there: part of the plan, because the statement differs. */
  readonly nulls: readonly boolean[]
}

/**
 * Which part of the sorted list is wanted. `offset` and `limit` cut the list first; `after`, `before`,
 * `first` and `last` page through what is left (https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm).
 */
export interface Page {
  readonly offset?: ValueSource
  readonly limit?: ValueSource
  readonly after?: CursorSource
  readonly before?: CursorSource
  readonly first?: ValueSource
  readonly last?: ValueSource
}

/** What is asked of the list; nothing else is computed. */
export interface Wanted {
  readonly rows: boolean
  /** How many rows match the filter, whatever the page. */
  readonly total: boolean
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** Rows of one table. No GraphQL, no HTTP and no product in it. */
export interface SelectPlan {
  readonly table: Table
  /** The layout of the rows: a column's place here is its place in every row. */
  readonly columns: readonly Column[]
  readonly filter?: Filter
  /** Ends in a key of the table where it has one, so that the order is total. */
  readonly orderBy: readonly OrderTerm[]
  readonly page: Page
  readonly wanted: Wanted
  /** Present where the rows have no key and are numbered in this order; `orderBy` is `positionColumn` then. */
  readonly numberedBy?: readonly OrderTerm[]
  /**
   * Present when rows are asked for by many keys at once: these columns are compared with the keys, and
   * the page counts per key.
   */
  readonly keyColumns?: readonly Column[]
  /** Locks the rows until the transaction ends, and reads the newest of each; only for rows in no order and without a page. */
  readonly lock?: RowLock
}
