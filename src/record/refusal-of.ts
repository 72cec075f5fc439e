/** Converts the database's refusals of a change to errors for the client. */

import { DatabaseError } from '../database/database-error.ts'
import type { Column, Table } from '../database/database-schema.ts'
import { unknownOutcome } from '../database/unknown-outcome.ts'
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError } from '../errors/app-error.ts'

/** The refused change, with the columns that an update writes. */
export interface RefusedChange {
  readonly kind: 'insert' | 'update' | 'delete'
  readonly table: Table
  readonly values?: ReadonlyMap<Column, unknown>
}

/** Of a unique value. */
export const takenByOther = 'Another record has this value already.'

/** Undefined for other errors. */
export function refusalOf(cause: DatabaseError, change: RefusedChange): AppError | undefined {
  switch (cause.kind) {
    case 'uniqueViolation':
      return refuse('VALUE_NOT_UNIQUE', cause, change, takenByOther)
    case 'foreignKeyViolation':
      return change.kind === 'insert' || (change.kind === 'update' && refersAnew(change))
        ? new AppError('RECORD_INVALID', {
            detail:
              saidBy(cause) ??
              'A record refers to one that does not exist, or that comes too late in the list.',
            cause,
          })
        : new AppError('IN_USE', {
            detail:
              saidBy(cause) ??
              `Records refer to this ${change.table.id}. Delete them, or let them refer to another one, first.`,
            cause,
          })
    case 'notNullViolation':
    case 'valueRefused':
      return refuse(
        'RECORD_INVALID',
        cause,
        change,
        'The database does not take this value: it is missing, too long, out of its range, or against a rule of the table.',
      )
    case 'triggerFailed':
      return change.table.isPermanent ? perhapsKept(cause) : triggerFailed(cause)
    case 'schemaChanged':
      // Begun again, it could be kept once more.
      return change.table.isPermanent ? perhapsKept(cause) : undefined
    case 'busy':
    case 'deadlock':
    case 'denied':
    case 'readOnly':
      // A trigger may have failed after the change; begun again, it could be kept once more.
      return change.table.isPermanent ? perhapsKeptBefore(cause) : undefined
    default:
      return undefined
  }
}

/** Whether an error means that the database refused what was sent. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.cause instanceof DatabaseError && error.kind.status < 500
}

/**
 * Whether the database has refused a change that fits the schema as it was read: a value is missing that was not needed. The table may
 * have changed since.
 */
export function mayBeOutdated(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof DatabaseError && error.cause.kind === 'notNullViolation'
}

/** A trigger of the table that fails: its code is not revealed. */
export function triggerFailed(cause: DatabaseError): AppError {
  const detail =
    'A trigger or a function of the table failed in its own code, so nothing was changed. The log of the gateway has the words of the database.'
  return new AppError('RECORD_INVALID', { detail, cause })
}

/** A change of a table without transactions that failed in the middle. */
function perhapsKept(cause: DatabaseError): AppError {
  const detail = `The change failed in the middle: the table has changed, or one of its triggers failed in its own code. ${withoutTransactions}`
  return new AppError('RECORD_INVALID', { detail, cause: unknownOutcome(cause) })
}

/** The same, where the database could not do what was left. */
function perhapsKeptBefore(cause: DatabaseError): AppError {
  const detail = `The database did not let the change be completed: others have its rows or tables in use, or a privilege is missing. ${withoutTransactions}`
  return new AppError('DATABASE_UNAVAILABLE', { detail, cause: unknownOutcome(cause) })
}

const withoutTransactions =
  'The engine of the table has no transactions, so the change may have been kept. Read the records before you send it again.'

/** A trigger or rule of the table may discard a row, or give it another key. `pointer` names it in a list. */
export function notKept(pointer = ''): AppError {
  const detail =
    'The database took the record and did not keep it under its key: a trigger of the table decides so, or the key is stored in another form. Nothing was changed.'
  return new AppError('RECORD_INVALID', pointer === '' ? { detail } : { mistakes: [{ pointer, detail }] })
}

/** A trigger, rule or row policy of the table may leave out an update or delete. */
export function notMade(): AppError {
  const detail =
    'The database accepted the change and did not make it: a trigger, rule or policy of the table decides so. Nothing was changed.'
  return new AppError('RECORD_INVALID', { detail })
}

function refuse(
  code: 'VALUE_NOT_UNIQUE' | 'RECORD_INVALID',
  cause: DatabaseError,
  { table }: RefusedChange,
  otherwise: string,
): AppError {
  const isOfOther = cause.functionsTable !== undefined && cause.functionsTable !== table.name
  const detail = saidBy(cause) ?? (isOfOther ? refusedByOther : otherwise)
  // Keys may be of expressions, too.
  const columns = isOfOther ? [] : cause.columns.filter((column) => table.columns.has(column))
  const mistakes = columns.map((column) => ({ pointer: jsonPointer([column]), detail }))
  return new AppError(code, mistakes.length > 0 ? { mistakes, cause } : { detail, cause })
}

const refusedByOther =
  'A trigger of the table writes into another one, which does not take that. Nothing was changed.'

const messageLimit = 1000

/** The message of the database's owner for a broken rule. */
function saidBy({ refusal }: DatabaseError): string | undefined {
  if (refusal?.message !== undefined) return refusal.message.slice(0, messageLimit)
  return refusal?.rule === undefined
    ? undefined
    : `The rule ${JSON.stringify(refusal.rule)} of the table does not allow it.`
}

/** Whether a change can only have failed because of a reference of the row: nothing can refer to what it changes. */
function refersAnew({ table, values }: RefusedChange): boolean {
  const names = [...(values?.keys() ?? [])].map(({ name }) => name)
  const inKeys = (keys: readonly (readonly string[])[]) =>
    names.some((name) => keys.some((key) => key.includes(name)))
  return (
    inKeys(table.foreignKeys.map(({ columns }) => columns)) &&
    !inKeys([table.primaryKey, ...table.uniqueKeys])
  )
}
