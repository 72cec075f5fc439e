import type { Connection } from '../database/driver.ts'
import { inSavepoint } from '../database/savepoint.ts'
import type { RefusedChange } from './refusal-of.ts'

/** A transaction of several calls: all of them are kept, or none. Whoever began it ends it. */
export interface EnclosingTransaction {
  readonly connection: Connection
  /** Told of each change that was made, which rules may still refuse when the transaction ends. */
  made(change: RefusedChange): void
}

/**
 * Runs work after whose failure the call goes on. It leaves nothing behind then: without an enclosing transaction, because it has
 * its own.
 */
export function separately<Result>(
  name: 'list' | 'attempt',
  enclosing: EnclosingTransaction | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return enclosing === undefined ? work() : inSavepoint(enclosing.connection, work, name)
}
