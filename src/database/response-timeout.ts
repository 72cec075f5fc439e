import { AppError } from '../errors/app-error.ts'
import type { TimeLimit } from '../util/time-limit.ts'
import { DatabaseError } from './database-error.ts'

/** The error of a request that exceeded its time limit. */
export function responseTimeout(): AppError {
  return new AppError('ANSWER_TIMEOUT', {
    detail:
      'The request was ended: all of it together took longer than it may (request_timeout). Ask for less.',
    headers: { 'retry-after': '1' },
  })
}

/** The same error, if the time limit is why a statement was ended; otherwise the given error. */
export function timeoutBehind(error: unknown, time: TimeLimit): unknown {
  const isEnded = error instanceof DatabaseError && error.kind === 'abandoned'
  return isEnded && time.isOver ? responseTimeout() : error
}
