import type { Socket } from 'node:net'
import type { Connection as PlainConnection } from 'mysql2'
import type { PoolConnection } from 'mysql2/promise'
import type { Listened, Sighting } from '../../silence.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { cut } from './apart.ts'
import { endsConnection } from './error.ts'

/** What sessions of one driver have in common. */
export interface SessionParts {
  /** Ends a connection and what runs on it. */
  kill(threadId: number): void
  /** What the server does for a connection; never fails. */
  look(threadId: number): Promise<Sighting>
  /** The settings of a connection are not those that were made any more. */
  forgetSettings(connection: object): void
}

/** Ends the server's own limit, for what takes as long as it needs, or as long as its reader does. Each comment is for one of the products. */
export const withoutServerLimit =
  'set time_zone = @@time_zone /*M!100301 , max_statement_time = 0 */ /*!80000 , max_execution_time = 0 */'

/** One connection of the pool while one caller has it. */
export class Session implements Listened {
  readonly #pooled: PoolConnection
  readonly #parts: SessionParts
  /** False when what is on the connection is in doubt; then it is not used again. */
  usable = true

  constructor(pooled: PoolConnection, parts: SessionParts) {
    this.#pooled = pooled
    this.#parts = parts
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
        this,
      )
    } catch (error) {
      if (endsConnection(error)) this.usable = false
      throw error
    }
  }

  heard(): number {
    const { stream } = this.#pooled.connection as unknown as { readonly stream: Socket }
    return stream.bytesRead
  }

  look(): Promise<Sighting> {
    return this.#parts.look(this.#pooled.threadId)
  }

  /** The settings of the connection were changed: they are made again before the next caller gets it. */
  forgetSettings(): void {
    this.#parts.forgetSettings(this.#pooled.connection)
  }

  /** Ends what runs on the connection, which is then of no more use. */
  abandon(): void {
    this.usable = false
    this.#parts.kill(this.#pooled.threadId)
  }

  release(): void {
    if (this.usable) {
      this.#pooled.release()
      return
    }
    this.#pooled.destroy()
    // Where nothing is heard any more, no goodbye is answered.
    cut(this.#pooled)
  }
}
