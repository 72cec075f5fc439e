import type { Connection as PlainConnection } from 'mysql2'
import type { PoolConnection } from 'mysql2/promise'
import type { Listened, Sighting } from '../../silence.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { cut } from './apart.ts'
import { endsConnection } from './error.ts'
import { plainOf, socketOf } from './mysql2-internals.ts'

/** What the sessions of one driver share. */
export interface SessionParts {
  /** Closes a connection and ends its statement. */
  kill(threadId: number): void
  /** Ends the statement of a connection; rejects if the server does not confirm it. */
  killStatement(threadId: number): Promise<void>
  /** What the server does for a connection; never fails. */
  look(threadId: number): Promise<Sighting>
  /** The settings of a connection are no longer the initial ones. */
  forgetSettings(connection: object): void
}

/**
 * Removes the server's time limit, for statements that may take as long as they or their readers need. Each comment is
 * for one of the products.
 */
export const withoutServerLimit =
  'set time_zone = @@time_zone /*M!100301 , max_statement_time = 0 */ /*!80000 , max_execution_time = 0 */'

/** A pooled connection while one caller has it. */
export class DatabaseSession implements Listened {
  readonly #pooled: PoolConnection
  readonly #parts: SessionParts
  /** False if the state of the connection is uncertain; then it is not used again. */
  usable = true

  constructor(pooled: PoolConnection, parts: SessionParts) {
    this.#pooled = pooled
    this.#parts = parts
  }

  /** The callback-based connection, which emits rows as they arrive. */
  get plain(): PlainConnection {
    return plainOf(this.#pooled)
  }

  /** Runs something on the connection. Throws the driver's errors, and `DatabaseError` if a limit ends it. */
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
    return socketOf(this.#pooled).bytesRead
  }

  look(): Promise<Sighting> {
    return this.#parts.look(this.#pooled.threadId)
  }

  /** The settings of the connection were changed: they are restored before the next caller gets it. */
  forgetSettings(): void {
    this.#parts.forgetSettings(this.#pooled.connection)
  }

  /** Ends what runs on the connection, which can no longer be used. */
  abandon(): void {
    this.usable = false
    this.#parts.kill(this.#pooled.threadId)
  }

  /** Ends the statement that runs on the connection, and waits for its end. Without success the connection is abandoned. */
  async endStatement(hasEnded: Promise<void>, limits: StatementLimits): Promise<void> {
    const end = async (pooled: PoolConnection) => {
      await this.#parts.killStatement(pooled.threadId)
      await hasEnded
      // If the statement had just ended by itself, the next one is ended instead.
      await pooled.query('do 0').catch(() => undefined)
    }
    await this.run(end, limits).catch(() => this.abandon())
  }

  release(): void {
    if (this.usable) {
      this.#pooled.release()
      return
    }
    this.#pooled.destroy()
    // If the server no longer responds, it would not confirm an orderly close.
    cut(this.#pooled)
  }
}
