import { AppError } from '../errors/app-error.ts'
import { DatabaseError, type DatabaseErrorKind } from './database-error.ts'

/** Why a database that is reached cannot do its work for the moment. */
const reasons: Partial<Readonly<Record<DatabaseErrorKind, string>>> = {
  busy: 'Others have the database, or its tables, in use for longer than a request waits. Try again.',
  noConnection:
    'All connections to the database were in use for longer than a request waits (db_wait). Try again.',
  deadlock:
    'Each time that this was tried, others changed the same rows in another order. Nothing was changed; try again.',
  schemaChanged: 'The tables were changed meanwhile, so nothing was done. Try again.',
}

/** What was sent may have been done: another attempt could do it once more. */
const perhapsKept =
  'The database did not answer the end of the change, so it is unknown whether it was kept. Read the records before you send it again.'

/** The error that clients get for a database error; undefined if it is a bug of ours. */
export function appErrorOf(error: unknown): AppError | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  switch (error.kind) {
    case 'busy':
    case 'noConnection':
    case 'deadlock':
    case 'schemaChanged':
    case 'unavailable':
    case 'unresponsive':
    case 'readOnly': {
      const detail = error.perhapsCommitted ? perhapsKept : reasons[error.kind]
      return new AppError('DATABASE_UNAVAILABLE', {
        ...(detail !== undefined && { detail }),
        headers: { 'retry-after': '1' },
        cause: error,
      })
    }
    case 'abandoned':
      // The client is gone, and nothing failed: there is nothing to log.
      return new AppError('DATABASE_UNAVAILABLE', { headers: { 'retry-after': '1' } })
    case 'full':
      return new AppError('DATABASE_FULL', {
        detail:
          'The database or its disk has no space left, so nothing was changed. What is there can be read. Make space, and try again.',
        cause: error,
      })
    case 'denied':
      return new AppError('DATABASE_DENIED', {
        detail: "The gateway's user of the database lacks the privilege for this call.",
        cause: error,
      })
    case 'timedOut':
      return new AppError('STATEMENT_TIMEOUT', {
        // Without a cause the message is our own sentence, which names the limit.
        ...(error.cause === undefined && { detail: error.message }),
        headers: { 'retry-after': '1' },
        cause: error,
      })
    case 'valueRefused':
      return new AppError('PARAMETER_INVALID', {
        detail: 'The database cannot take a value of this request: it is out of the range of its type.',
        cause: error,
      })
    default:
      return undefined
  }
}
