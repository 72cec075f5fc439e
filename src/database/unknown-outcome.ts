import { DatabaseError } from './database-error.ts'

/** The error of a transaction of which nobody can tell whether it was committed: nothing may do it again by itself. */
export function unknownOutcome({ kind, message, accessFailure, cause }: DatabaseError): DatabaseError {
  return new DatabaseError(
    'unavailable',
    // Of such a statement nobody knows that it was ended.
    kind === 'timedOut' ? 'The server did not respond in time.' : message,
    { accessFailure, cause, perhapsCommitted: true },
  )
}
