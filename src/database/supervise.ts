import type { CancellationToken } from '../util/cancellation-token.ts'
import { DatabaseError } from './database-error.ts'
import { type Listened, type Lost, watchSilence } from './silence.ts'

/** What may end a statement early. */
export interface StatementLimits {
  /** The time limit; undefined if there is none. */
  readonly timeoutMs: number | undefined
  /** Cancelled when no one waits for the statement. */
  readonly cancellation: CancellationToken | undefined
}

/** Work that is faster, in milliseconds, does not justify listening for cancellation. */
const shortMs = 20

/**
 * The result of running work, or `DatabaseError` as soon as a limit ends it. Then `cancel` is called once, to end the
 * work in the database as well; its result is not awaited, since an unreachable server cannot be told. With
 * `listened`, work also ends if its response will never arrive.
 */
export function supervise<Result>(
  run: () => Promise<Result>,
  { timeoutMs, cancellation }: StatementLimits,
  cancel: () => void,
  listened?: Listened,
): Promise<Result> {
  if (cancellation?.isCancelled) return Promise.reject(abandoned(cancellation))
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      settle()
      cancel()
      reject(error)
    }
    let stopListening: (() => void) | undefined
    let stopWatching: (() => void) | undefined
    const waitOn = () => {
      if (cancellation?.isCancelled) return end(abandoned(cancellation))
      stopListening = cancellation?.onCancelled(() => end(abandoned(cancellation)))
      stopWatching = listened && watchSilence(listened, (why) => end(lost(why)))
      if (timeoutMs !== undefined) timer = setTimeout(() => end(timedOut(timeoutMs)), timeoutMs - shortMs)
    }
    let timer =
      timeoutMs !== undefined && timeoutMs <= shortMs
        ? setTimeout(() => end(timedOut(timeoutMs)), timeoutMs)
        : setTimeout(waitOn, shortMs)
    const settle = () => {
      clearTimeout(timer)
      stopListening?.()
      stopWatching?.()
    }
    run().then(
      (result) => {
        settle()
        resolve(result)
      },
      (error: unknown) => {
        settle()
        reject(error)
      },
    )
  })
}

function abandoned({ endedBy }: CancellationToken): Error {
  return endedBy ?? new DatabaseError('abandoned', 'The statement was ended: no one waits for it any more.')
}

function lost(why: Lost): DatabaseError {
  return why === 'idle'
    ? new DatabaseError('unavailable', 'The connection to the server was lost.')
    : new DatabaseError('unresponsive', 'The server does not respond.')
}

function timedOut(timeoutMs: number): DatabaseError {
  return new DatabaseError(
    'timedOut',
    `The statement was ended: it took longer than ${timeoutMs} ms (statement_timeout). Ask for less, or filter by an indexed field; a change may have waited for others of the same rows.`,
  )
}
