import type { SelectOptions } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import type { SqlValue } from '../sql-value.ts'

/** For how long the first statement on a shared connection may delay the others. */
export const timeoutMs = 50

/** A connection on which statements of many callers run one behind the other, without waiting for each other's answers. */
export interface SharedConnection {
  /** False when what is on it is in doubt. */
  readonly usable: boolean
  /** Runs a statement that reads, behind those that were asked for before; nothing but `abandon` ends it. */
  selectUnwatched(sql: string, values: readonly SqlValue[], options?: SelectOptions): Promise<RowSet>
  /** Begins a transaction whose statements read one state of the data, or ends it. If it fails, the next statement reports it. */
  frame(step: 'begin' | 'commit' | 'rollback'): void
  /** Ends what runs on it; it is then of no more use. */
  abandon(): void
  /** Returns it to its pool. */
  release(): void
}
