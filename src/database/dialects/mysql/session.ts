import type { Connection as PlainConnection } from 'mysql2'
import type { PoolConnection } from 'mysql2/promise'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { endsConnection } from './error.ts'

/** One connection of the pool while one caller has it. */
export class Session {
  readonly #pooled: PoolConnection
  readonly #kill: (threadId: number) => void
  /** False when what is on the connection is in doubt; then it is not used again. */
  usable = true

  constructor(pooled: PoolConnection, kill: (threadId: number) => void) {
    this.#pooled = pooled
    this.#kill = kill
  }

  /** The connection without promises, which has the rows as they come. */
  get plain(): PlainConnection {
    return this.#pooled.connection as unknown as PlainConnection
  }

  /** Runs something on the connection. Throws the driver's errors, and `DatabaseError` where a limit ends it. */
  async run<Result>(
    work: (pooled: PoolConnection) => Promise<Result>,
    limits: StatementLimits,
  ): Promise<Result> {
    try {
      return await supervise(
        () => work(this.#pooled),
        limits,
        () => this.abandon(),
      )
    } catch (error) {
      if (endsConnection(error)) this.usable = false
      throw error
    }
  }

  /** Ends what runs on the connection, which is then of no more use. */
  abandon(): void {
    this.usable = false
    this.#kill(this.#pooled.threadId)
  }

  release(): void {
    if (this.usable) this.#pooled.release()
    else this.#pooled.destroy()
  }
}
