import type { SelectOptions } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import type { SqlValue } from '../sql-value.ts'

/** For how long the first of the statements on a shared connection may keep those behind it waiting. */
export const timeoutMs = 50

/** A connection on which statements of many callers run one behind the other, without waiting for each other's answers. */
export interface SharedConnection {
  /** False when what is on it is in doubt. */
  readonly usable: boolean
  /** Runs a statement that reads, behind those that were asked for before; nothing but `abandon` ends it. */
  selectUnwatched(sql: string, values: readonly SqlValue[], options?: SelectOptions): Promise<RowSet>
  /** Begins a transaction whose statements read one state of the data, or ends it. That it fails is told by what runs behind it. */
  frame(step: 'begin' | 'commit' | 'rollback'): void
  /** Ends what runs on it; it is then of no more use. */
  abandon(): void
  /** Gives it back to whom it belongs. */
  release(): void
}
