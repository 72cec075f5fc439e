import type { SelectOptions, Statement } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import { HeadOfLineTimeout } from './head-of-line-timeout.ts'
import type { QuickStatements } from './quick-statements.ts'
import { type SharedConnection, timeoutMs } from './shared-connection.ts'

/** A statement in the queue. */
export interface QueuedStatement {
  readonly statement: Statement
  readonly options: SelectOptions | undefined
  readonly settle: (rows: RowSet | undefined) => void
  readonly fail: (error: unknown) => void
}

interface ConnectionQueueOwner {
  /** The queue takes no further statements. */
  leave(): void
  /** Runs statements on another connection. */
  askAgain(statements: readonly QueuedStatement[]): Promise<void>
}

/** The statements on one connection that have no response yet, in the order of their responses. */
export class ConnectionQueue {
  readonly #connection: SharedConnection
  readonly #quick: QuickStatements
  readonly #owner: ConnectionQueueOwner
  readonly #queue: QueuedStatement[] = []
  readonly #timeout = new HeadOfLineTimeout(timeoutMs, () => this.#late())
  #hasEnded = false

  constructor(connection: SharedConnection, quick: QuickStatements, owner: ConnectionQueueOwner) {
    this.#connection = connection
    this.#quick = quick
    this.#owner = owner
  }

  get length(): number {
    return this.#queue.length
  }

  select(statement: Statement, options: SelectOptions | undefined): Promise<RowSet | undefined> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statement, options, settle: resolve, fail: reject })
      this.#timeout.joined()
      this.#connection.selectUnwatched(statement.sql, statement.parameters, options).then(
        (rows) => {
          this.#responded()
          resolve(rows)
        },
        (error: unknown) => {
          // It runs elsewhere.
          if (this.#hasEnded) return
          if (!this.#connection.usable) return this.#end()
          this.#responded()
          reject(error)
        },
      )
    })
  }

  close(): void {
    this.#hasEnded = true
    this.#timeout.stop()
    this.#connection.release()
  }

  #responded(): void {
    this.#queue.shift()
    this.#timeout.served()
  }

  /** Ends the statement that keeps the others waiting, and the connection with it. */
  #late(): void {
    const [first, ...others] = this.#queue.splice(0)
    if (first === undefined) return
    this.#quick.wasSlow(first.statement.sql)
    this.#connection.abandon()
    this.#end()
    first.settle(undefined)
    // Where the caller has left, no one is told.
    this.#owner.askAgain(others).catch(() => undefined)
  }

  /** Each caller finds out on its own connection what is wrong with the server. */
  #end(): void {
    if (this.#hasEnded) return
    this.#owner.leave()
    this.close()
    for (const { settle } of this.#queue.splice(0)) settle(undefined)
  }
}
