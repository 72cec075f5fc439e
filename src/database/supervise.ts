import type { LazySignal } from '../util/lazy-signal.ts'
import { DatabaseError } from './database-error.ts'

/** What may end a statement before it is done. */
export interface StatementLimits {
  /** How long it may take; undefined for as long as it needs. */
  readonly timeoutMs: number | undefined
  /** Aborted when nobody waits for the statement any more. */
  readonly signal: LazySignal | undefined
}

/**
 * The result of running work, or `DatabaseError` as soon as a limit ends it. Then `cancel` is called once, to
 * end the work in the database as well; nobody waits for that, since a server that is out of reach cannot
 * be told.
 */
export function supervise<Result>(
  run: () => Promise<Result>,
  { timeoutMs, signal: signalOf }: StatementLimits,
  cancel: () => void,
): Promise<Result> {
  const signal = signalOf?.()
  if (signal?.aborted) return Promise.reject(abandoned())
  return new Promise((resolve, reject) => {
    const end = (error: DatabaseError) => {
      settle()
      cancel()
      reject(error)
    }
    const onAbort = () => end(abandoned())
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end(timedOut(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', onAbort)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
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

function abandoned(): DatabaseError {
  return new DatabaseError('abandoned', 'The statement was ended: nobody waits for it any more.')
}

function timedOut(timeoutMs: number): DatabaseError {
  return new DatabaseError('timedOut', `The statement was ended: it took longer than ${timeoutMs} ms.`)
}
