import type { CancellationToken } from '../util/cancellation-token.ts'
import { DatabaseError } from './database-error.ts'
import { type Listened, type Lost, watchSilence } from './silence.ts'

/** What may end a statement before it is done. */
export interface StatementLimits {
  /** How long it may take; undefined for as long as it needs. */
  readonly timeoutMs: number | undefined
  /** Who waits for the statement. */
  readonly cancellation: CancellationToken | undefined
}

/** Work that takes no longer, in milliseconds, is not worth listening for who goes away. */
const shortMs = 20

/**
 * The result of running work, or `DatabaseError` as soon as a limit ends it. Then `cancel` is called once, to
 * end the work in the database as well; nobody waits for that, since a server that is out of reach cannot
 * be told. With `listened`, work ends as well when its answer will never come.
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
  return endedBy ?? new DatabaseError('abandoned', 'The statement was ended: nobody waits for it any more.')
}

function lost(why: Lost): DatabaseError {
  return why === 'idle'
    ? new DatabaseError('unavailable', 'The connection to the server was lost.')
    : new DatabaseError('noConnection', 'The server does not answer.')
}

function timedOut(timeoutMs: number): DatabaseError {
  return new DatabaseError('timedOut', `The statement was ended: it took longer than ${timeoutMs} ms.`)
}
