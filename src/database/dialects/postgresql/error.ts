import { DatabaseError, type DatabaseErrorKind, type Refusal } from '../../database-error.ts'
import { accessFailureOf } from './access-failure.ts'

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const kinds: ReadonlyMap<string, DatabaseErrorKind> = new Map([
  // Bytes for a parameter that is of another type since its column was looked at.
  ['22P03', 'statement'],
  ['23502', 'notNullViolation'],
  ['23503', 'foreignKeyViolation'],
  ['23505', 'uniqueViolation'],
  ['23514', 'valueRefused'],
  ['23P01', 'valueRefused'],
  ['25006', 'readOnly'],
  ['40001', 'deadlock'],
  ['40P01', 'deadlock'],
  ['53100', 'full'],
  ['55P03', 'busy'],
  ['57014', 'timedOut'],
  // Prepared statements and plans become invalid when their tables change.
  ['0A000', 'schemaChanged'],
  ['26000', 'schemaChanged'],
  ['42501', 'denied'],
  ['42P01', 'schemaChanged'],
  ['42703', 'schemaChanged'],
  ['42P07', 'alreadyThere'],
  ['42701', 'alreadyThere'],
  ['P0001', 'valueRefused'],
])

/** By the first two digits. */
const kindsOfClass: ReadonlyMap<string, DatabaseErrorKind> = new Map([
  ['08', 'unavailable'],
  ['22', 'valueRefused'],
  ['28', 'unavailable'],
  ['3D', 'unavailable'],
  ['53', 'unavailable'],
  ['57', 'unavailable'],
  ['58', 'unavailable'],
])

/** Converts the driver's error to the error that all products share. */
export function databaseErrorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const message = messageOf(error)
  const refusal = refusalOf(error, message)
  return new DatabaseError(kindOf(error), message, {
    columns: columnsOf(error),
    ...(isInFunction(error) && { functionsTable: textIn(error, 'table') || undefined }),
    refusal,
    accessFailure: accessFailureOf(error),
    cause: error,
  })
}

/** No operator or function for the operands' types, and incompatible types. */
const statesOfTypes: ReadonlySet<string | undefined> = new Set(['42883', '42804', '42846'])

/**
 * The same for a prepared statement that has worked before: if its types are incompatible or lost, columns have changed their
 * types, perhaps for others of the same names.
 */
export function errorOfPrepared(error: unknown): DatabaseError {
  const known = databaseErrorOf(error)
  const { kind, message, columns, cause } = known
  const isOfTypes = statesOfTypes.has(stateOf(cause)) || isLostType(cause)
  return kind === 'statement' && isOfTypes
    ? new DatabaseError('schemaChanged', message, { columns, cause })
    : known
}

/** The server has no state of its own for it, and does not translate such messages. */
function isLostType(error: unknown): boolean {
  return stateOf(error) === 'XX000' && /^cache lookup failed for type/.test(messageOf(error))
}

/** Whether the connection can no longer be used after the error. */
export function endsConnection(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error
  const state = stateOf(cause)
  if (isShortValue(cause)) return false
  return state === undefined || state.startsWith('57P') || state.startsWith('08')
}

/** Whether a statement was refused because another one of its transaction has failed. */
export function isOfFailedTransaction(error: unknown): boolean {
  return stateOf(error instanceof DatabaseError ? error.cause : error) === '25P02'
}

/** The server ends a connection because an administrator wants it, or because it was idle. */
const statesOfEnd: ReadonlySet<string | undefined> = new Set(['57P01', '57P05'])

/** Whether the server itself has told, in place of a result, that a transaction has failed: then it was not committed. */
export function isUndone(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error
  const state = stateOf(cause)
  return state !== undefined && (textIn(cause, 'severity') === 'ERROR' || statesOfEnd.has(state))
}

/**
 * A value is shorter than the binary form of its parameter's type: like 22P03. PostgreSQL tells it as a violation of the
 * protocol, but one that does not end the connection.
 */
function isShortValue(error: unknown): boolean {
  return stateOf(error) === '08P01' && textIn(error, 'severity') === 'ERROR'
}

function kindOf(error: unknown): DatabaseErrorKind {
  const state = stateOf(error)
  // Without an SQLSTATE the error is the network's or the driver's: the server did not respond.
  if (state === undefined) return 'unavailable'
  if (isShortValue(error)) return 'statement'
  const known = kinds.get(state) ?? kindsOfClass.get(state.slice(0, 2)) ?? 'statement'
  // The author of the trigger chose the state.
  if (isRaised(error)) return kindsOfRaised.has(known) ? known : 'valueRefused'
  if (kindsOfOwnStatements.has(known) && isInFunction(error)) return 'triggerFailed'
  if (state === '0A000' && !/cached plan/.test(messageOf(error))) return 'statement'
  return known
}

/** The kinds of error that a trigger may choose. */
const kindsOfRaised: ReadonlySet<DatabaseErrorKind> = new Set([
  'uniqueViolation',
  'foreignKeyViolation',
  'notNullViolation',
  'deadlock',
  'busy',
  'full',
])

/** Mistakes in a statement: in a function's statement, if it failed in one. */
const kindsOfOwnStatements: ReadonlySet<DatabaseErrorKind> = new Set(['statement', 'schemaChanged', 'denied'])

/** Whether the error was raised by the text of a function: `raise`, or `assert`. */
function isRaised(error: unknown): boolean {
  return /^exec_stmt_(?:raise|assert)$/.test(textIn(error, 'routine'))
}

/** The context lists the running functions, the innermost first. */
function isInFunction(error: unknown): boolean {
  return /\bfunction .+ (?:line \d+|statement \d+|during )/.test(textIn(error, 'where'))
}

function refusalOf(error: unknown, message: string): Refusal | undefined {
  if (isRaised(error)) return { message }
  // Keys and references have names, too, but these mean nothing to a client.
  const rule = /^23(?:514|P01)$/.test(stateOf(error) ?? '') ? textIn(error, 'constraint') : ''
  return rule === '' ? undefined : { rule }
}

function textIn(error: unknown, name: string): string {
  if (typeof error !== 'object' || error === null) return ''
  const text: unknown = Reflect.get(error, name)
  return typeof text === 'string' ? text : ''
}

/** The SQLSTATE, of five characters; the driver's own errors have none or longer codes. */
function stateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('severity' in error) || !('code' in error)) {
    return undefined
  }
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** `Key (name, "tenantId")=(…) already exists.` contains the columns; for a missing value, a field has the column. */
function columnsOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return []
  if ('column' in error && typeof error.column === 'string') return [error.column]
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : ''
  const list = /\((.+?)\)=\(/s.exec(detail)?.[1]
  if (list === undefined) return []
  return [...list.matchAll(/"((?:[^"]|"")+)"|([^",\s]+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  )
}
