import type { Column } from '../database/database-schema.ts'
import type { RelatedRows } from './filterable.ts'

/** One column that rows are sorted by. */
export interface OrderTerm {
  /** With `via` one of no table, which `select-parts.ts` adds to the rows. */
  readonly column: Column
  readonly direction: 'asc' | 'desc'
  /** For a column of the one row that references lead to. */
  readonly via?: RelatedColumn
}

/** A column of a related row: each step belongs to the one before. */
interface RelatedColumn {
  readonly steps: readonly RelatedRows[]
  readonly column: Column
}
