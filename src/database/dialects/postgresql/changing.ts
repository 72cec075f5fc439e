import { DatabaseError } from '../../database-error.ts'
import type { Connection, Row, Statement } from '../../driver.ts'
import { listOf, type RowSet } from '../../row-set.ts'
import type { StatementLimits } from '../../supervise.ts'
import { bound, type Session } from './session.ts'

/** A connection inside a transaction that changes something. */
export class Changing implements Connection {
  readonly #session: Session
  readonly #limits: StatementLimits

  constructor(session: Session, limits: StatementLimits) {
    this.#session = session
    this.#limits = limits
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement): Promise<RowSet> {
    return this.#session.select(sql, parameters.map(bound), this.#limits)
  }

  // biome-ignore lint/correctness/useYield: there is nothing to give.
  async *stream(): AsyncIterable<RowSet> {
    throw new DatabaseError('statement', 'Rows come in pieces only while reading.')
  }

  execute(statement: Statement): Promise<number> {
    return this.#session.execute(statement, this.#limits)
  }
}
