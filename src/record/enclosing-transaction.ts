import { NeedsResult } from '../database/deferred-connection.ts'
import type { Connection } from '../database/driver.ts'
import { inSavepoint } from '../database/savepoint.ts'
import type { ShownList } from '../query/mutate-plan.ts'
import type { KeyChecks } from './key-checks.ts'
import type { PublishedEntity } from './record-rules.ts'
import type { RefusedChange } from './refusal-of.ts'

/** A transaction of several calls: all of them are kept, or none. Whoever began it ends it. */
export interface EnclosingTransaction {
  readonly connection: Connection
  readonly keyChecks: KeyChecks
  /** Whether its connection is a `DeferredConnection`. */
  readonly isDeferred?: true
  /** What an insert returns, so that nothing is read after it; in deferred transactions only. */
  readonly shown?: ShownList | undefined
  /** A change that was sent, while the transaction goes on: whoever began it waits for it, and is told its error. */
  readonly sent: SentChange
  /** Told of each change that was made, which rules may still refuse when the transaction ends. */
  made(change: RefusedChange): void
}

/**
 * Throws `NeedsResult` in a deferred transaction, if the caller has conditions on rows or fields: what it may write depends on what
 * the database has.
 */
export function requireNoConditions(
  { rights }: Pick<PublishedEntity, 'rights'>,
  enclosing: EnclosingTransaction | undefined,
): void {
  if (enclosing?.isDeferred && rights !== undefined) throw new NeedsResult()
}

/** At most one change that was sent and not waited for: after its failure, another one could be kept without it. */
export class SentChange {
  #change: Promise<unknown> | undefined

  /** Waits for the change before it. */
  async send(change: () => Promise<unknown>): Promise<void> {
    await this.settled()
    this.#change = change()
    this.#change.catch(() => {})
  }

  /** Throws the error of the change. */
  async settled(): Promise<void> {
    const change = this.#change
    this.#change = undefined
    await change
  }
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
