/**
 * A write whose statements are all known before its first result is sent at once, with its commit.
 *
 * Promise: the same changes in the same order as in `Driver.transaction`, and all of them are kept or none. What is read is the row as they leave it; an
 * insert may return it in place of the last statement. Work that needs a result
 * before its last statement ends with `NeedsResult`, and nothing was sent.
 * Gain: one round trip to the server for such a write instead of two or three; `npm run bench relations-and-writes` measures it.
 * Off: `db_fast_reads: false`, a pooler in front of the server, and products without `Driver.transactAtOnce`.
 */
import { invariant } from '../errors/invariant.ts'
import type { Connection, SelectStatement, Statement } from './driver.ts'
import type { RowSet } from './row-set.ts'
import type { Row } from './sql-value.ts'

/** Work on a deferred connection depends on a result before its last statement. */
export class NeedsResult extends Error {}

/**
 * Carries out the changes of a transaction, and returns the rows that the statement after them reads. Throws `NeedsResult` if they are to be
 * carried out one by one.
 */
export type Transact = (changes: readonly Statement[], reading: SelectStatement) => Promise<RowSet>

/** A connection that holds back all changes until the last statement, which reads. */
export class DeferredConnection implements Connection {
  readonly #transact: Transact
  readonly #changes: Statement[] = []
  #state: 'open' | 'ending' | 'sent' = 'open'

  constructor(transact: Transact) {
    this.#transact = transact
  }

  /** Whether nothing more can be added. */
  get isSent(): boolean {
    return this.#state === 'sent'
  }

  /** The next statement is the last one: it reads what is told of the write. */
  expectLast(): void {
    this.#state = 'ending'
  }

  /** How many rows it changes is not known before the end, and given as 0. */
  async execute(statement: Statement): Promise<number> {
    invariant(!this.isSent, 'nothing is written after the end of a transaction')
    this.#changes.push(statement)
    return 0
  }

  async select(statement: SelectStatement): Promise<RowSet> {
    invariant(!this.isSent, 'nothing is read after the end of a transaction')
    if (this.#state !== 'ending') throw new NeedsResult()
    this.#state = 'sent'
    return this.#transact(this.#changes, statement)
  }

  query(): Promise<readonly Row[]> {
    return Promise.reject(new NeedsResult())
  }
}
