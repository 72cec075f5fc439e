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

const valueNotTaken =
  'The database does not take this value: it is missing, too long, out of its range, or against a rule of the table.'

/**
 * The same for what the database has refused only when all of some changes were made: it is told of the one that is concerned, or of none
 * if it may be several.
 */
export function refusalAtEnd(cause: DatabaseError, changes: readonly RefusedChange[]): AppError | undefined {
  const isOfReference = cause.kind === 'foreignKeyViolation'
  const concerned = isOfReference
    ? changes.filter((change) => mayTakeAway(change) || refersAnew(change))
    : changes
  const [first] = concerned
  const isLike = (change: RefusedChange, one: RefusedChange) =>
    change.kind === one.kind && change.table.id === one.table.id && mayTakeAway(change) === mayTakeAway(one)
  const areAlike = first !== undefined && concerned.every((change) => isLike(change, first))
  const sure = areAlike ? first : changes.find(({ table }) => table.isPermanent)
  if (sure !== undefined) return refusalOf(cause, sure)
  const refused = (code: 'VALUE_NOT_UNIQUE' | 'RECORD_INVALID' | 'IN_USE', detail: string) =>
    new AppError(code, { detail: saidBy(cause) ?? detail, cause })
  switch (cause.kind) {
    case 'foreignKeyViolation':
      return concerned.length > 0 && concerned.every(mayTakeAway)
        ? refused('IN_USE', someInUse)
        : refused('RECORD_INVALID', someReferToNone)
    case 'uniqueViolation':
      return refused('VALUE_NOT_UNIQUE', takenByOther)
    case 'notNullViolation':
    case 'valueRefused':
      return refused('RECORD_INVALID', valueNotTaken)
    case 'triggerFailed':
      return triggerFailed(cause)
    default:
      return undefined
  }
}

const someInUse =
  'Records refer to one of those that would be deleted or get another key. Nothing was changed.'

const someReferToNone =
  'After these changes a record would refer to one that does not exist. Nothing was changed.'

/** Undefined for other errors. */
export function refusalOf(cause: DatabaseError, change: RefusedChange): AppError | undefined {
  switch (cause.kind) {
    case 'uniqueViolation':
      return refuse('VALUE_NOT_UNIQUE', cause, change, takenByOther)
    case 'foreignKeyViolation':
      return refersAnew(change) && !mayTakeAway(change)
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
      return refuse('RECORD_INVALID', cause, change, valueNotTaken)
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

/** Whether a reference of the row may have failed: it is new, or another one. */
function refersAnew({ kind, table, values }: RefusedChange): boolean {
  if (kind === 'delete') return false
  const keys = table.foreignKeys.map(({ columns }) => columns)
  return kind === 'insert' || names(values, keys)
}

/** Whether the references of others may have failed: the row is gone, or has another key. */
function mayTakeAway({ kind, table, values }: RefusedChange): boolean {
  if (kind === 'insert') return false
  return kind === 'delete' || names(values, [table.primaryKey, ...table.uniqueKeys])
}

function names(values: RefusedChange['values'], keys: readonly (readonly string[])[]): boolean {
  return [...(values?.keys() ?? [])].some(({ name }) => keys.some((key) => key.includes(name)))
}
