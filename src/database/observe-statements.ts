import { performance } from 'node:perf_hooks'
import type { Observer } from '../observe/events.ts'
import { DatabaseError } from './database-error.ts'
import type { Database } from './dialect.ts'
import type { Connection, Statement } from './driver.ts'
import type { RowSet } from './row-set.ts'

/** The same database, with every statement and every failure told to an observer. */
export function observeStatements({ dialect, driver, ...rest }: Database, observe: Observer): Database {
  return {
    ...rest,
    dialect,
    driver: {
      read: (work, options) => driver.read((connection) => work(observed(connection, observe)), options),
      transaction: (work, options) =>
        driver.transaction((connection) => work(observed(connection, observe)), options),
      close: () => driver.close(),
    },
  }
}

function observed(connection: Connection, observe: Observer): Connection {
  const run = async <Result>(
    statement: Statement,
    work: () => Promise<Result>,
    rowsOf: (result: Result) => number,
  ): Promise<Result> => {
    const start = performance.now()
    try {
      const result = await work()
      observe({
        kind: 'StatementRun',
        sql: statement.sql,
        rows: rowsOf(result),
        milliseconds: performance.now() - start,
      })
      return result
    } catch (error) {
      if (!isNoFailure(error)) observe({ kind: 'StatementFailed', sql: statement.sql, error })
      throw error
    }
  }
  return {
    query: (statement) =>
      run(
        statement,
        () => connection.query(statement),
        (rows) => rows.length,
      ),
    select: (statement, options) =>
      run(
        statement,
        () => connection.select(statement, options),
        (rows) => rows.length,
      ),
    stream: (statement, options) => streamed(connection.stream(statement, options), statement, observe),
    execute: (statement) =>
      run(
        statement,
        () => connection.execute(statement),
        (changed) => changed,
      ),
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
