import { DatabaseError } from '../../database/database-error.ts'
import type { Connection, Statement } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'

/** Runs one statement of a change; a refusal of the database becomes an error of the catalogue. */
export async function runChange(connection: Connection, statement: Statement): Promise<void> {
  try {
    await connection.execute(statement)
  } catch (error) {
    throw changeErrorOf(error)
  }
}

function changeErrorOf(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  switch (error.kind) {
    case 'busy':
    case 'unresponsive':
    case 'deadlock':
    case 'timedOut':
      return new AppError('TABLES_IN_USE', {
        detail: 'The tables are in use by statements that take long. Nothing was changed; try again.',
        headers: { 'retry-after': '5' },
        cause: error,
      })
    case 'uniqueViolation':
    case 'notNullViolation':
    case 'foreignKeyViolation':
    case 'valueRefused':
    case 'triggerFailed':
      return new AppError('TABLE_CHANGE_REFUSED', {
        detail:
          'Rows that were written meanwhile do not fit what was uploaded. Nothing was changed; try again.',
        cause: error,
      })
    case 'statement':
    case 'schemaChanged':
    case 'denied':
    case 'alreadyThere':
      return new AppError('TABLE_CHANGE_REFUSED', {
        detail:
          'The database refused a statement of the change: something else depends on a table or a column of it, such as a view, or the user may not change it. The log has its message. Nothing was changed.',
        cause: error,
      })
    default:
      return error
  }
}
