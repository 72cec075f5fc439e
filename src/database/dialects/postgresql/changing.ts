import type { Connection, Statement } from '../../driver.ts'
import { listOf, type RowSet } from '../../row-set.ts'
import type { Row } from '../../sql-value.ts'
import type { StatementLimits } from '../../supervise.ts'
import { bound, type DatabaseSession } from './session.ts'

/** A connection inside a read-write transaction. */
export class Changing implements Connection {
  readonly #session: DatabaseSession
  readonly #limits: StatementLimits

  constructor(session: DatabaseSession, limits: StatementLimits) {
    this.#session = session
    this.#limits = limits
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select({ sql, parameters }: Statement): Promise<RowSet> {
    return this.#session.select(sql, parameters.map(bound), this.#limits)
  }

  execute(statement: Statement): Promise<number> {
    return this.#session.execute(statement, this.#limits)
  }
}
