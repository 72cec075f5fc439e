import type { SqlValue, Statement } from '../driver.ts'
import type { RowSet } from '../row-set.ts'
import type { QuickStatements } from './quick-statements.ts'

/** For how long the first of the statements on a connection may keep those behind it waiting. */
const patienceMs = 50

/** A connection that is shared. */
export interface SharedConnection {
  /** False when what is on it is in doubt. */
  readonly usable: boolean
  /** Runs a statement that reads, behind those that were asked for before; nothing but `abandon` ends it. */
  selectUnwatched(sql: string, values: readonly SqlValue[]): Promise<RowSet>
  /** Ends what runs on it; it is then of no more use. */
  abandon(): void
  /** Gives it back to whom it belongs. */
  release(): void
}

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
 * is not, for once, holds up those behind it for 50 ms. Then all of them are given back to run elsewhere, since what
 * only reads can be run twice.
 */
export class SharedConnections {
  readonly #options: SharedConnectionsOptions
  readonly #lines = new Set<Line>()
  #opening = false
  #closed = false

  constructor(options: SharedConnectionsOptions) {
    this.#options = options
  }

  /**
   * The rows of a statement that sees one state of the data by itself; undefined where it is to run on a connection of
   * its own, at once or after it was tried here. Throws `DatabaseError` where the server refuses it.
   */
  select({ sql, parameters }: Statement): Promise<RowSet | undefined> | undefined {
    if (!this.#options.quick.isQuick(sql)) return undefined
    let least: Line | undefined
    for (const line of this.#lines) if (least === undefined || line.length < least.length) least = line
    if (least === undefined || (least.length > 0 && this.#lines.size < this.#options.connections))
      this.#open()
    return least?.select(sql, parameters)
  }

  close(): void {
    this.#closed = true
    for (const line of this.#lines) line.close()
    this.#lines.clear()
  }

  #open(): void {
    if (this.#opening || this.#closed) return
    this.#opening = true
    const opened = this.#options.open().then((connection) => {
      if (this.#closed) return connection.release()
      const line = new Line(connection, this.#options.quick, () => this.#lines.delete(line))
      this.#lines.add(line)
    })
    // Callers find out by themselves that the server is out of reach.
    const done = () => {
      this.#opening = false
    }
    opened.then(done, done)
  }
}

interface Waiting {
  readonly sql: string
  readonly settle: (rows: RowSet | undefined) => void
}

/** The statements on one connection that are not answered yet, in the order in which they will be. */
class Line {
  readonly #connection: SharedConnection
  readonly #quick: QuickStatements
  readonly #leave: () => void
  readonly #waiting: Waiting[] = []
  /** Since when the first one is the first, by `performance.now`. */
  #since = 0
  #watch: NodeJS.Timeout | undefined
  #isOver = false

  constructor(connection: SharedConnection, quick: QuickStatements, leave: () => void) {
    this.#connection = connection
    this.#quick = quick
    this.#leave = leave
  }

  get length(): number {
    return this.#waiting.length
  }

  select(sql: string, values: readonly SqlValue[]): Promise<RowSet | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = { sql, settle: resolve }
      if (this.#waiting.push(waiting) === 1) {
        this.#since = performance.now()
        this.#watch ??= setTimeout(() => this.#look(), patienceMs)
      }
      this.#connection.selectUnwatched(sql, values).then(
        (rows) => {
          this.#answered()
          resolve(rows)
        },
        (error: unknown) => {
          this.#answered()
          if (!this.#connection.usable) this.#end()
          // Whoever has waited here finds out on a connection of its own what is wrong with the server.
          if (this.#connection.usable) reject(error)
          else resolve(undefined)
        },
      )
    })
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#watch)
    this.#connection.release()
  }

  #answered(): void {
    this.#waiting.shift()
    if (this.#waiting.length > 0) this.#since = performance.now()
  }

  #look(): void {
    this.#watch = undefined
    if (this.#isOver || this.#waiting.length === 0) return
    const [first] = this.#waiting
    const left = this.#since + patienceMs - performance.now()
    if (left > 0) {
      this.#watch = setTimeout(() => this.#look(), left)
      return
    }
    // The answer may be there already, and it is we who are late.
    setImmediate(() => {
      if (this.#isOver) return
      if (first === this.#waiting[0]) this.#giveBack()
      else if (this.#waiting.length > 0) this.#watch ??= setTimeout(() => this.#look(), patienceMs)
    })
  }

  /** Ends the statement that keeps the others waiting, and the connection with it. */
  #giveBack(): void {
    const [first] = this.#waiting
    if (first !== undefined) this.#quick.wasSlow(first.sql)
    this.#connection.abandon()
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#leave()
    this.close()
    for (const { settle } of this.#waiting.splice(0)) settle(undefined)
  }
}
