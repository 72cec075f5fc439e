import type { Column } from '../database/database-schema.ts'

/** One column that rows are sorted by. */
export interface OrderTerm {
  readonly column: Column
  readonly direction: 'asc' | 'desc'
}
