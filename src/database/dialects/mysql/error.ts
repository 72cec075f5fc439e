import { DatabaseError, type DatabaseErrorKind, type Refusal } from '../../database-error.ts'
import { accessFailureOf } from './access-failure.ts'

/** Error numbers: https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const kinds: ReadonlyMap<number, DatabaseErrorKind> = new Map([
  [1020, 'deadlock'],
  [1021, 'full'],
  [1040, 'unavailable'],
  [1044, 'unavailable'],
  [1045, 'unavailable'],
  [1048, 'notNullViolation'],
  [1138, 'notNullViolation'],
  [1067, 'valueRefused'],
  [1049, 'unavailable'],
  [1050, 'alreadyThere'],
  [1053, 'unavailable'],
  [1054, 'schemaChanged'],
  [1060, 'alreadyThere'],
  [1061, 'alreadyThere'],
  [1062, 'uniqueViolation'],
  [1142, 'denied'],
  [1143, 'denied'],
  [1146, 'schemaChanged'],
  [1412, 'schemaChanged'],
  [1615, 'schemaChanged'],
  [1826, 'alreadyThere'],
  [1114, 'full'],
  [1203, 'unavailable'],
  [1205, 'busy'],
  [1213, 'deadlock'],
  [1216, 'foreignKeyViolation'],
  [1217, 'foreignKeyViolation'],
  [1226, 'unavailable'],
  [1227, 'denied'],
  [1264, 'valueRefused'],
  [1265, 'valueRefused'],
  [1290, 'readOnly'],
  [1292, 'valueRefused'],
  [1366, 'valueRefused'],
  [1406, 'valueRefused'],
  [1364, 'notNullViolation'],
  // Only a trigger, or a function that it calls, can fail like this.
  [1305, 'triggerFailed'],
  [1318, 'triggerFailed'],
  [1329, 'triggerFailed'],
  [1339, 'triggerFailed'],
  [1370, 'triggerFailed'],
  [1424, 'triggerFailed'],
  [1442, 'triggerFailed'],
  [1449, 'triggerFailed'],
  [1456, 'triggerFailed'],
  [1451, 'foreignKeyViolation'],
  [1452, 'foreignKeyViolation'],
  [1586, 'uniqueViolation'],
  [1792, 'readOnly'],
  [1644, 'valueRefused'],
  [1698, 'unavailable'],
  [1836, 'readOnly'],
  [1927, 'unavailable'],
  [1969, 'timedOut'],
  [2006, 'unavailable'],
  [2013, 'unavailable'],
  [3024, 'timedOut'],
  [3140, 'valueRefused'],
  [3819, 'valueRefused'],
  [4025, 'valueRefused'],
])

/** Smaller numbers are those of the operating system. */
const leastServerNumber = 1000

/** A violated key, as the server names it. */
export interface ViolatedKey {
  readonly name: string
  /** MySQL reports the table, MariaDB does not. */
  readonly table: string | undefined
}

/** Converts the driver's error to the error that all products share. */
export function databaseErrorOf(error: unknown, columns?: readonly string[]): DatabaseError {
  if (error instanceof DatabaseError) return error
  const { message, errno } = partsOf(error)
  const refusal = refusalOf(error, errno, message)
  const kind = refusal?.message === undefined ? kindOf(error, errno) : 'valueRefused'
  const ofValue = refusedValueIn(message)
  return new DatabaseError(kind, message, {
    columns: columns ?? ofValue?.columns ?? columnsIn(message),
    functionsTable: ofValue?.functionsTable,
    refusal,
    accessFailure: accessFailureOf(error),
    cause: error,
  })
}

/** A trigger's `signal` has its own error number, or the state reserved for users. */
function refusalOf(error: unknown, errno: number | undefined, message: string): Refusal | undefined {
  const isOfUser =
    typeof error === 'object' && error !== null && 'sqlState' in error && error.sqlState === '45000'
  if (errno === 1644 || isOfUser) return { message }
  const rule =
    /^CONSTRAINT `((?:[^`]|``)+)` failed for /.exec(message) ??
    /^Check constraint '(.+)' is violated/.exec(message)
  return rule?.[1] === undefined ? undefined : { rule: rule[1].replaceAll('``', '`') }
}

/** Whether the connection can no longer be used after the error. */
export function endsConnection(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'fatal' in cause && cause.fatal === true
}

/** Kinds that do not tell what has become of a transaction: the server gives it up in its midst, or means something else. */
const kindsWithoutOutcome: ReadonlySet<DatabaseErrorKind> = new Set(['statement', 'unavailable'])

/** Whether the server itself has told why a transaction has failed: then it was not committed. */
export function isUndone({ kind, cause }: DatabaseError): boolean {
  const { errno = 0 } = partsOf(cause)
  return errno >= leastServerNumber && !kindsWithoutOutcome.has(kind)
}

/** The unique key of `Duplicate entry 'x' for key 'Port.Port_id_key'`; undefined for any other error. */
export function violatedKeyOf(error: unknown): ViolatedKey | undefined {
  const { message, errno } = partsOf(error)
  if (errno !== 1062 && errno !== 1586) return undefined
  const key = / for key '(.+)'$/s.exec(message)?.[1]
  if (key === undefined) return undefined
  const dot = key.indexOf('.')
  return dot < 0 ? { name: key, table: undefined } : { name: key.slice(dot + 1), table: key.slice(0, dot) }
}

function partsOf(error: unknown): { readonly message: string; readonly errno: number | undefined } {
  if (!(error instanceof Error)) return { message: String(error), errno: undefined }
  const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined
  return { message: error.message, errno }
}

function kindOf(error: unknown, errno: number | undefined): DatabaseErrorKind {
  const known = errno === undefined ? undefined : kinds.get(errno)
  if (known !== undefined) return known
  if (isNoSpace(error)) return 'full'
  // Without a server error number the error is the network's or the driver's: the server did not respond.
  const fromServer = errno !== undefined && errno >= leastServerNumber
  return fromServer && !endsConnection(error) ? 'statement' : 'unavailable'
}

/** Storage engines and the server report the operating system's error number in the text: 28 is ENOSPC. */
function isNoSpace(error: unknown): boolean {
  return error instanceof Error && /\b(?:error|errno|errcode):? 28\b/i.test(error.message)
}

/** ``Incorrect string value: '…' for column `shop`.`city`.`name` at row 1``; other messages do not name the table. */
function refusedValueIn(message: string): Pick<DatabaseError, 'columns' | 'functionsTable'> | undefined {
  const [, table, column] = / for column `.+?`\.`(.+?)`\.`(.+?)` at row \d+$/s.exec(message) ?? []
  return table === undefined || column === undefined
    ? undefined
    : { columns: [column], functionsTable: table }
}

/** ``FOREIGN KEY (`a`, `b`) REFERENCES …`` and `Column 'a' cannot be null` contain the columns. */
function columnsIn(message: string): readonly string[] {
  const foreignKey = /FOREIGN KEY \((.+?)\) REFERENCES/.exec(message)?.[1]
  if (foreignKey !== undefined) {
    return [...foreignKey.matchAll(/`((?:[^`]|``)+)`/g)].map(([, name = '']) => name.replaceAll('``', '`'))
  }
  const column = /^(?:Column|Field) '(.+)' (?:cannot be null|doesn't have a default value)/.exec(message)?.[1]
  return column === undefined ? [] : [column]
}
