import { DatabaseError } from '../database/database-error.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { jsonPointer } from '../http/parse-document.ts'
import { compileMutate } from '../query/compile-mutate.ts'
import type { MutatePlan } from '../query/mutate-plan.ts'

/**
 * Carries out a change. What the checks before it could not see, because another writer was faster, the
 * keys of the table find out; it is answered like what the checks find.
 */
export async function runMutate(plan: MutatePlan, connection: Connection, dialect: Dialect): Promise<void> {
  try {
    for (const statement of compileMutate(plan, dialect)) await connection.execute(statement)
  } catch (error) {
    throw (error instanceof DatabaseError && refusalOf(error, plan)) || error
  }
}

function refusalOf(cause: DatabaseError, plan: MutatePlan): AppError | undefined {
  switch (cause.kind) {
    case 'uniqueViolation': {
      const detail = 'Another record has this value already.'
      const mistakes = cause.columns.map((column) => ({ pointer: jsonPointer([column]), detail }))
      return new AppError('VALUE_NOT_UNIQUE', { mistakes, cause })
    }
    case 'foreignKeyViolation':
      return plan.kind === 'insert'
        ? new AppError('RECORD_INVALID', {
            detail: 'A record refers to one that is not there, or that comes too far behind it in the list.',
            cause,
          })
        : new AppError('IN_USE', {
            detail: `Records refer to this ${plan.table.name}. Delete them, or let them refer to another one, first.`,
            cause,
          })
    default:
      return undefined
  }
}
