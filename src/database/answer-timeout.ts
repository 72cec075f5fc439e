import { AppError } from '../errors/app-error.ts'
import type { TimeLimit } from '../util/time-limit.ts'
import { DatabaseError } from './database-error.ts'

/** The error of a request that took longer than it may. */
export function answerTimeout(): AppError {
  return new AppError('ANSWER_TIMEOUT', {
    detail:
      'The request was ended: all of it together took longer than it may (request_timeout). Ask for less.',
    headers: { 'retry-after': '1' },
  })
}

/** The same, where it is why a statement was ended; otherwise the error as it is. */
export function timeoutBehind(error: unknown, time: TimeLimit): unknown {
  const isEnded = error instanceof DatabaseError && error.kind === 'abandoned'
  return isEnded && time.isOver ? answerTimeout() : error
}
