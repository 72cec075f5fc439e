import type {
  Connection,
  Driver,
  SelectOptions,
  SelectStatement,
  Statement,
  StreamingConnection,
  StreamOptions,
} from './driver.ts'
import type { RowSet } from './row-set.ts'
import type { Row } from './sql-value.ts'

/** Called with each statement of a connection when it has ended. */
export interface StatementListener {
  /** `rows` is how many there were, or how many were changed. */
  hasRun(statement: Statement, rows: number, milliseconds: number, result?: RowSet, cause?: string): void
  hasFailed(statement: Statement, error: unknown): void
}

/** The same connection, with a listener. This is the one way to put something around statements. */
export class TimedConnection implements Connection {
  readonly #connection: Connection
  protected readonly listener: StatementListener
  protected readonly cause: string | undefined

  /** `cause` is what the statements are for; the listener gets it. */
  constructor(connection: Connection, listener: StatementListener, cause?: string) {
    this.#connection = connection
    this.listener = listener
    this.cause = cause
  }

  query(statement: Statement): Promise<readonly Row[]> {
    const count = (rows: readonly Row[], milliseconds: number) =>
      this.listener.hasRun(statement, rows.length, milliseconds, undefined, this.cause)
    return this.#timed(statement, performance.now(), this.#connection.query(statement), count)
  }

  select(statement: SelectStatement, options?: SelectOptions): Promise<RowSet> {
    const count = (rows: RowSet, milliseconds: number) =>
      this.listener.hasRun(statement, rows.length, milliseconds, rows, this.cause)
    return this.#timed(statement, performance.now(), this.#connection.select(statement, options), count)
  }

  execute(statement: Statement): Promise<number> {
    const count = (changed: number, milliseconds: number) =>
      this.listener.hasRun(statement, changed, milliseconds, undefined, this.cause)
    return this.#timed(statement, performance.now(), this.#connection.execute(statement), count)
  }

  async #timed<Result>(
    statement: Statement,
    start: number,
    running: Promise<Result>,
    hasRun: (result: Result, milliseconds: number) => void,
  ): Promise<Result> {
    try {
      const result = await running
      hasRun(result, performance.now() - start)
      return result
    } catch (error) {
      this.listener.hasFailed(statement, error)
      throw error
    }
  }
}

/** The same for a connection that streams. The time of a list includes that of its reader. */
export class TimedStreamingConnection extends TimedConnection implements StreamingConnection {
  readonly #connection: StreamingConnection

  constructor(connection: StreamingConnection, listener: StatementListener, cause?: string) {
    super(connection, listener, cause)
    this.#connection = connection
  }

  async *stream(statement: SelectStatement, options: StreamOptions): AsyncIterable<RowSet> {
    const start = performance.now()
    let rows = 0
    try {
      for await (const piece of this.#connection.stream(statement, options)) {
        rows += piece.length
        yield piece
      }
    } catch (error) {
      this.listener.hasFailed(statement, error)
      throw error
    }
    this.listener.hasRun(statement, rows, performance.now() - start, undefined, this.cause)
  }
}

/**
 * The same for transactions that are carried out at once; each statement has the time of all. Those of a refused one are told when they
 * run again.
 */
export function timedAtOnce(
  driver: Pick<Driver, 'transactAtOnce'>,
  listener: StatementListener,
): Driver['transactAtOnce'] {
  if (driver.transactAtOnce === undefined) return undefined
  return async (statements, options) => {
    const start = performance.now()
    const results = await driver.transactAtOnce?.(statements, options)
    const milliseconds = performance.now() - start
    for (const [index, statement] of statements.entries()) {
      const result = results?.[index]
      if (result !== undefined)
        listener.hasRun(statement, result.count, milliseconds, result.rows, options?.cancellation?.cause)
    }
    return results
  }
}
