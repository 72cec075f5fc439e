import { DatabaseError } from '../database/database-error.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { jsonPointer } from '../http/parse-document.ts'
import { compileMutate } from '../query/compile-mutate.ts'
import type { MutatePlan } from '../query/mutate-plan.ts'

/**
 * Carries out a change; gives what an insert was to tell of its rows. What the checks before it could not see, because another writer was faster, the
 * keys of the table find out; it is answered like what the checks find.
 */
export async function runMutate(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  try {
    const { insertedKeys } = dialect.syntax
    const isTold = plan.kind === 'insert' && (plan.returning?.length ?? 0) > 0
    const told: Row[] = []
    for (const statement of compileMutate(plan, dialect)) {
      if (isTold && insertedKeys.by === 'returning') told.push(...(await connection.query(statement)))
      else await connection.execute(statement)
    }
    if (isTold && insertedKeys.by === 'lastNumber') {
      return await connection.query({ sql: insertedKeys.query, parameters: [] })
    }
    return told
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
      return plan.kind === 'insert' || (plan.kind === 'update' && refersAnew(plan))
        ? new AppError('RECORD_INVALID', {
            detail: 'A record refers to one that is not there, or that comes too far behind it in the list.',
            cause,
          })
        : new AppError('IN_USE', {
            detail: `Records refer to this ${plan.table.name}. Delete them, or let them refer to another one, first.`,
            cause,
          })
    case 'notNullViolation':
    case 'valueRefused': {
      const detail =
        'The database does not take this value: it is missing, too long, out of its range, or against a rule of the table.'
      const mistakes = cause.columns.map((column) => ({ pointer: jsonPointer([column]), detail }))
      return new AppError('RECORD_INVALID', mistakes.length > 0 ? { mistakes, cause } : { detail, cause })
    }
    default:
      return undefined
  }
}

/** Whether a change can only have failed by what the row refers to: nothing can refer to what it changes. */
function refersAnew({ table, values }: Extract<MutatePlan, { kind: 'update' }>): boolean {
  const names = [...values.keys()].map(({ name }) => name)
  const inKeys = (keys: readonly (readonly string[])[]) =>
    names.some((name) => keys.some((key) => key.includes(name)))
  return (
    inKeys(table.foreignKeys.map(({ columns }) => columns)) &&
    !inKeys([table.primaryKey, ...table.uniqueKeys])
  )
}
