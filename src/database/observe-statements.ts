import type { Observer } from '../observe/events.ts'
import { DatabaseError } from './database-error.ts'
import type { Database } from './dialect.ts'
import type { Connection, Row, SelectOptions, Statement, StreamOptions } from './driver.ts'
import type { RowSet } from './row-set.ts'

/** The same database, with every statement and every failure told to an observer. */
export function observeStatements({ dialect, driver, ...rest }: Database, observe: Observer): Database {
  return {
    ...rest,
    dialect,
    driver: {
      read: (work, options) =>
        driver.read((connection) => work(new ObservedConnection(connection, observe)), options),
      transaction: (work, options) =>
        driver.transaction((connection) => work(new ObservedConnection(connection, observe)), options),
      close: () => driver.close(),
    },
  }
}

class ObservedConnection implements Connection {
  readonly #connection: Connection
  readonly #observe: Observer

  constructor(connection: Connection, observe: Observer) {
    this.#connection = connection
    this.#observe = observe
  }

  query(statement: Statement): Promise<readonly Row[]> {
    return this.#rows(statement, performance.now(), this.#connection.query(statement))
  }

  select(statement: Statement, options?: SelectOptions): Promise<RowSet> {
    return this.#rows(statement, performance.now(), this.#connection.select(statement, options))
  }

  stream(statement: Statement, options: StreamOptions): AsyncIterable<RowSet> {
    return streamed(this.#connection.stream(statement, options), statement, this.#observe)
  }

  async execute(statement: Statement): Promise<number> {
    const start = performance.now()
    try {
      const changed = await this.#connection.execute(statement)
      this.#hasRun(statement, start, changed)
      return changed
    } catch (error) {
      this.#hasFailed(statement, error)
      throw error
    }
  }

  async #rows<Rows extends { readonly length: number }>(
    statement: Statement,
    start: number,
    running: Promise<Rows>,
  ): Promise<Rows> {
    try {
      const rows = await running
      this.#hasRun(statement, start, rows.length)
      return rows
    } catch (error) {
      this.#hasFailed(statement, error)
      throw error
    }
  }

  #hasRun({ sql }: Statement, start: number, rows: number): void {
    this.#observe({ kind: 'StatementRun', sql, rows, milliseconds: performance.now() - start })
  }

  #hasFailed({ sql, mayFail }: Statement, error: unknown): void {
    if (mayFail !== true && !isNoFailure(error)) this.#observe({ kind: 'StatementFailed', sql, error })
  }
}

async function* streamed(
  pieces: AsyncIterable<RowSet>,
  { sql }: Statement,
  observe: Observer,
): AsyncIterable<RowSet> {
  const start = performance.now()
  let rows = 0
  try {
    for await (const piece of pieces) {
      rows += piece.length
      yield piece
    }
  } catch (error) {
    if (!isNoFailure(error)) observe({ kind: 'StatementFailed', sql, error })
    throw error
  }
  observe({ kind: 'StatementRun', sql, rows, milliseconds: performance.now() - start })
}

/** What is read again did not fail. A value that a key or rule of the table refuses is the client's mistake, and told to the client. */
function isNoFailure(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'givenBack' || error.kind.endsWith('Violation'))
}
