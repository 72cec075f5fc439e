import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'

/** The error of the catalogue that clients see for a database's; undefined where it is a mistake of ours. */
export function translateDatabaseError(error: Error): AppError | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  switch (error.kind) {
    case 'busy':
    case 'unavailable':
    case 'full':
    case 'readOnly':
      return new AppError('DATABASE_UNAVAILABLE', { headers: { 'retry-after': '1' }, cause: error })
    default:
      return undefined
  }
}
