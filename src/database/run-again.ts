import { setTimeout as pause } from 'node:timers/promises'
import { Semaphore } from '../util/semaphore.ts'
import { DatabaseError, type DatabaseErrorKind } from './database-error.ts'
import type { Connection, Driver } from './driver.ts'

/**
 * Why the work of a read or transaction runs again, and the number of failures for each reason after which it is given up. This is
 * the only place that runs such work again. A single statement of a read may run twice in `batching/shared-connections.ts`, a write that was
 * undone in `batching/group-commit.ts`, and a whole request in `gateway/on-current-schema.ts`.
 */
const attempts: Partial<Readonly<Record<DatabaseErrorKind, number>>> = {
  /** A connection was lost while it waited in the pool. */
  staleConnection: 2,
  /** A read was taken out of the transaction that it shared: it gets its own. */
  batchDissolved: 2,
  /** Another transaction has gone on in its place. */
  deadlock: 8,
}

/** The longest pause before a transaction runs again after a deadlock, in milliseconds. */
const longestPauseMs = 200
/** How long a transaction waits for its turn to run again, in milliseconds. */
const longestTurnMs = 30_000

/**
 * The same driver, which runs work again where `attempts` says so. Changes of tables (`unlimited`) begin again after a deadlock by
 * their own rules. Other transactions that met a deadlock run again one after the other, each after a random pause of up to a fifth of
 * the time that it had taken: all at once they would meet the next one, and PostgreSQL takes a second to see it.
 */
export function runAgain(driver: Driver): Driver {
  const turns = new Semaphore(1)
  return {
    read: (work, options) =>
      driver
        .read(work, options)
        .catch((error: unknown) =>
          again(error, () => driver.read(work, { ...options, batchKey: undefined })),
        ),
    stream: (work, options) =>
      driver
        .stream(work, options)
        .catch((error: unknown) => again(error, () => driver.stream(work, options))),
    transaction(work, options) {
      let tookMs = 0
      const run = async () => {
        const start = performance.now()
        return driver.transaction(work, options).finally(() => {
          tookMs = performance.now() - start
        })
      }
      return run().catch((error: unknown) => {
        if (!isDeadlock(error) || options?.unlimited) return again(error, run, options?.unlimited === true)
        const runLater = () => pause(Math.random() * Math.min(longestPauseMs, tookMs / 5)).then(run)
        const refuse = () => error as DatabaseError
        const wait = { waitMs: longestTurnMs, cancellation: options?.cancellation, refuse }
        return turns.run(() => again(error, runLater), wait)
      })
    },
    // What it does not carry out is carried out as a transaction.
    transactAtOnce: driver.transactAtOnce?.bind(driver),
    tablesChanged: () => driver.tablesChanged?.(),
    usage: () => driver.usage(),
    close: () => driver.close(),
  }
}

/** Goes on after a first attempt has failed. */
async function again<Result>(
  first: unknown,
  run: () => Promise<Result>,
  isTableChange = false,
): Promise<Result> {
  let error = first
  const failed = new Map<DatabaseErrorKind, number>()
  for (;;) {
    if (!(error instanceof DatabaseError) || (isTableChange && isDeadlock(error))) throw error
    const { kind } = error
    const times = (failed.get(kind) ?? 0) + 1
    if (times >= (attempts[kind] ?? 1)) throw kind === 'staleConnection' ? lost(error) : error
    failed.set(kind, times)
    try {
      return await run()
    } catch (next) {
      error = next
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'deadlock'
}

/** Whether a connection was lost while it waited in the pool. Others are often lost with it, and are then not used again. */
export function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'staleConnection'
}

/** Whether work that meets the error is to end with it, since it will run again. */
export function endsToRunAgain(error: unknown): boolean {
  return isStale(error) || (error instanceof DatabaseError && error.kind === 'batchDissolved')
}

function lost(error: DatabaseError): DatabaseError {
  const { accessFailure, cause } = error
  return new DatabaseError('unavailable', error.message, { accessFailure, cause })
}

/** A connection of a read, which may say that the work on it is to run again. */
export interface ReadConnection extends Connection {
  /** Why it is to run again, whatever has come of it; undefined where it is not. */
  readonly toRunAgain: DatabaseError | undefined
}

/** Does the work of a read. Throws where it is to run again. */
export async function readOn<Result, Reading extends ReadConnection>(
  connection: Reading,
  work: (connection: Reading) => Promise<Result>,
): Promise<Result> {
  let result: Result
  try {
    result = await work(connection)
  } catch (error) {
    throw connection.toRunAgain ?? error
  }
  if (connection.toRunAgain !== undefined) throw connection.toRunAgain
  return result
}

/** What a driver throws where a connection of its pool fails its first statement: `staleConnection` where the connection was lost. */
export function staleIfLost(error: unknown): unknown {
  if (!(error instanceof DatabaseError && error.kind === 'unavailable')) return error
  const { accessFailure, cause } = error
  return new DatabaseError('staleConnection', error.message, { accessFailure, cause })
}
