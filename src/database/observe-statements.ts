import type { Observer } from '../observe/events.ts'
import { DatabaseError } from './database-error.ts'
import type { Database } from './dialect.ts'
import { endsToRunAgain } from './run-again.ts'
import {
  type StatementListener,
  TimedConnection,
  TimedStreamingConnection,
  timedAtOnce,
} from './timed-connection.ts'

/** The same database, with every statement and every failure reported to an observer. */
export function observeStatements({ dialect, driver, ...rest }: Database, observe: Observer): Database {
  const listener: StatementListener = {
    hasRun: ({ sql }, rows, milliseconds, _result, cause) =>
      observe({ kind: 'StatementRun', sql, rows, milliseconds, ...(cause === undefined ? {} : { cause }) }),
    hasFailed: ({ sql, mayFail }, error) => {
      if (mayFail !== true && !isNoFailure(error)) observe({ kind: 'StatementFailed', sql, error })
    },
  }
  return {
    ...rest,
    dialect,
    driver: {
      read: (work, options) =>
        driver.read(
          (connection) => work(new TimedConnection(connection, listener, options?.cancellation?.cause)),
          options,
        ),
      stream: (work, options) =>
        driver.stream(
          (connection) =>
            work(new TimedStreamingConnection(connection, listener, options?.cancellation?.cause)),
          options,
        ),
      transaction: (work, options) =>
        driver.transaction(
          (connection) => work(new TimedConnection(connection, listener, options?.cancellation?.cause)),
          options,
        ),
      transactAtOnce: timedAtOnce(driver, listener),
      tablesChanged: () => driver.tablesChanged?.(),
      usage: () => driver.usage(),
      close: () => driver.close(),
    },
  }
}

/**
 * A retried statement did not fail. A value that violates a key or constraint of the table is the client's mistake, and
 * the client is told.
 */
function isNoFailure(error: unknown): boolean {
  return endsToRunAgain(error) || (error instanceof DatabaseError && error.kind.endsWith('Violation'))
}
