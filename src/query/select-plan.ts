import type { Column, Table } from '../database/database-schema.ts'
import type { RowLock } from '../database/syntax.ts'
import type { AggregatePlan } from './aggregate-plan.ts'
import type { Filter, TableRights } from './filter.ts'
import type { OrderTerm } from './order-term.ts'
import type { ValueSource } from './value-source.ts'

/** A position in a sorted list, given by a cursor. */
export interface CursorSource {
  readonly source: ValueSource
  /** For each order term whether the cursor's value is null: part of the plan, because the statement differs. */
  readonly nulls: readonly boolean[]
}

/**
 * The requested part of the sorted list. `offset` and `limit` are applied first; `after`, `before`, `first` and `last`
 * page through the result (https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm).
 */
export interface Page {
  readonly offset?: ValueSource
  readonly limit?: ValueSource
  readonly after?: CursorSource
  readonly before?: CursorSource
  readonly first?: ValueSource
  readonly last?: ValueSource
}

/** What is requested of the list; nothing else is computed. */
export interface Wanted {
  readonly rows: boolean
  /** How many rows match the filter, whatever the page. */
  readonly total: boolean
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** Reads rows of one table. Independent of GraphQL, HTTP and database product. */
export interface SelectPlan {
  readonly table: Table
  /** What the caller may read of the table; undefined for everything. */
  readonly rights: TableRights | undefined
  /** The layout of the rows: a column has the same position here and in every row. */
  readonly columns: readonly Column[]
  readonly filter?: Filter
  /** Ends with a key of the table if it has one, so that the order is total. */
  readonly orderBy: readonly OrderTerm[]
  readonly page: Page
  readonly wanted: Wanted
  /** What is computed of all rows that match the filter, whatever the page. */
  readonly aggregates?: readonly AggregatePlan[]
  /** Present if the rows have no key and are numbered in this order; then `orderBy` is `positionColumn`. */
  readonly numberedBy?: readonly OrderTerm[]
  /**
   * Present if rows are selected by many keys at once: these columns are compared with the keys, and the page applies
   * to each key.
   */
  readonly keyColumns?: readonly Column[]
  /**
   * Locks the rows until the transaction ends, and reads their newest versions; only without a page.
   */
  readonly lock?: RowLock
}
