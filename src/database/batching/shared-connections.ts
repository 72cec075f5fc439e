import type { SelectOptions, Statement } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import { HeadOfLineTimeout } from './head-of-line-timeout.ts'
import type { QuickStatements } from './quick-statements.ts'
import { type SharedConnection, timeoutMs } from './shared-connection.ts'

/** How many may wait on one connection; further ones wait for a connection of their own, as long as callers do. */
const longestLine = 256

/** Where the statements of many callers may go. */
export interface SharedConnectionsOptions {
  /** How many connections they share at most. */
  readonly connections: number
  readonly open: () => Promise<SharedConnection>
  readonly quick: QuickStatements
}

/**
 * Connections on which statements of many callers run one behind the other, without waiting for each other's answers:
 * many of them are one message to the server, and one back. Only for statements that are known to be quick; one that
 * is not, for once, holds up those behind it for 50 ms. Then it is given back to run elsewhere, and they are asked for
 * again on another connection, since what only reads can be run twice.
 */
export class SharedConnections {
  readonly #options: SharedConnectionsOptions
  readonly #lines = new Set<ConnectionQueue>()
  #opening: Promise<void> | undefined
  #closed = false

  constructor(options: SharedConnectionsOptions) {
    this.#options = options
  }

  /**
   * The rows of a statement that sees one state of the data by itself; undefined where it is to run on a connection of
   * its own, at once or after it was tried here. Throws `DatabaseError` where the server refuses it.
   */
  select(statement: Statement, options?: SelectOptions): Promise<RowSet | undefined> | undefined {
    if (!this.#options.quick.isQuick(statement.sql)) return undefined
    const least = this.#least()
    if (least === undefined) return this.#open().then(() => this.#least()?.select(statement, options))
    if (least.length > 0 && this.#lines.size < this.#options.connections) void this.#open()
    return least.length >= longestLine ? undefined : least.select(statement, options)
  }

  #least(): ConnectionQueue | undefined {
    let least: ConnectionQueue | undefined
    for (const line of this.#lines) if (least === undefined || line.length < least.length) least = line
    return least
  }

  close(): void {
    this.#closed = true
    for (const line of this.#lines) line.close()
    this.#lines.clear()
  }

  #open(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#opening ??= this.#options.open().then(
      (connection) => {
        this.#opening = undefined
        if (this.#closed) return connection.release()
        const line = new ConnectionQueue(connection, this.#options.quick, {
          leave: () => this.#lines.delete(line),
          askAgain: (waiting) => this.#askAgain(waiting),
        })
        this.#lines.add(line)
      },
      // Callers find out by themselves that the server is out of reach.
      () => {
        this.#opening = undefined
      },
    )
    return this.#opening
  }

  async #askAgain(all: readonly Waiting[]): Promise<void> {
    await this.#open()
    for (const { statement, options, settle, fail } of all)
      Promise.resolve(this.select(statement, options)).then(settle, fail)
  }
}

interface Waiting {
  readonly statement: Statement
  readonly options: SelectOptions | undefined
  readonly settle: (rows: RowSet | undefined) => void
  readonly fail: (error: unknown) => void
}

/** What the one who has the lines does for each. */
interface LineOwner {
  /** The line takes nothing any more. */
  leave(): void
  askAgain(waiting: readonly Waiting[]): Promise<void>
}

/** The statements on one connection that are not answered yet, in the order in which they will be. */
class ConnectionQueue {
  readonly #connection: SharedConnection
  readonly #quick: QuickStatements
  readonly #owner: LineOwner
  readonly #waiting: Waiting[] = []
  readonly #watch = new HeadOfLineTimeout(timeoutMs, () => this.#giveBack())
  #isOver = false

  constructor(connection: SharedConnection, quick: QuickStatements, owner: LineOwner) {
    this.#connection = connection
    this.#quick = quick
    this.#owner = owner
  }

  get length(): number {
    return this.#waiting.length
  }

  select(statement: Statement, options: SelectOptions | undefined): Promise<RowSet | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, options, settle: resolve, fail: reject })
      this.#watch.joined()
      this.#connection.selectUnwatched(statement.sql, statement.parameters, options).then(
        (rows) => {
          this.#answered()
          resolve(rows)
        },
        (error: unknown) => {
          // Whoever waited here is asked for elsewhere.
          if (this.#isOver) return
          if (!this.#connection.usable) return this.#end()
          this.#answered()
          reject(error)
        },
      )
    })
  }

  close(): void {
    this.#isOver = true
    this.#watch.stop()
    this.#connection.release()
  }

  #answered(): void {
    this.#waiting.shift()
    this.#watch.served()
  }

  /** Ends the statement that keeps the others waiting, and the connection with it. */
  #giveBack(): void {
    const [first, ...others] = this.#waiting.splice(0)
    if (first === undefined) return
    this.#quick.wasSlow(first.statement.sql)
    this.#connection.abandon()
    this.#end()
    first.settle(undefined)
    // Those that wait for nobody's answer any more have nothing to be settled.
    this.#owner.askAgain(others).catch(() => undefined)
  }

  /** All that wait find out on connections of their own what is wrong with the server. */
  #end(): void {
    if (this.#isOver) return
    this.#owner.leave()
    this.close()
    for (const { settle } of this.#waiting.splice(0)) settle(undefined)
  }
}
