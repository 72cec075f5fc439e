import { DatabaseError, type DatabaseErrorKind, type Refusal } from '../../database-error.ts'
import { accessFailureOf } from './access-failure.ts'

/** Result codes: https://www.sqlite.org/rescode.html */
const kinds: ReadonlyMap<number, DatabaseErrorKind> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'readOnly'],
  [10, 'unavailable'],
  [11, 'unavailable'],
  [13, 'full'],
  [14, 'unavailable'],
  [20, 'valueRefused'],
  [26, 'unavailable'],
  [275, 'valueRefused'],
  [787, 'foreignKeyViolation'],
  [1299, 'notNullViolation'],
  [1555, 'uniqueViolation'],
  [1811, 'valueRefused'],
  [2067, 'uniqueViolation'],
  [3091, 'valueRefused'],
  // The file that readers and the writer share cannot grow.
  [4874, 'full'],
])

/** Converts SQLite's result code and message to the error that all products share. */
export function databaseErrorOf(code: number, message: string): DatabaseError {
  const kind = kinds.get(code) ?? kinds.get(code & 0xff) ?? kindOf(message)
  return new DatabaseError(kind, message, {
    columns: columnsIn(message),
    refusal: refusalOf(code, message),
    accessFailure: accessFailureOf(code),
  })
}

/**
 * A trigger's `raise`; for a check constraint its name, or otherwise its condition, which was not written for clients.
 */
function refusalOf(code: number, message: string): Refusal | undefined {
  if (code === 1811) return { message }
  const rule = /^CHECK constraint failed: ([\p{L}_][\p{L}\p{N}_]*)$/u.exec(message)?.[1]
  return code === 275 && rule !== undefined ? { rule } : undefined
}

function kindOf(message: string): DatabaseErrorKind {
  // All functions in our own statements exist.
  if (/^no such function: |^too many levels of trigger recursion/.test(message)) return 'triggerFailed'
  if (/^no such (?:table|column): |^table .+ has no column named /.test(message)) return 'schemaChanged'
  if (/^duplicate column name: |^(?:table|view|index|trigger) .+ already exists$/.test(message))
    return 'alreadyThere'
  return 'statement'
}

/** `UNIQUE constraint failed: Port.name, Port.tenantId` contains the columns; for a check constraint, its condition. */
function columnsIn(message: string): readonly string[] {
  const list = /(?:UNIQUE|NOT NULL) constraint failed: (.+)$/.exec(message)?.[1]
  if (list === undefined) return []
  return list.split(', ').map((name) => name.slice(name.indexOf('.') + 1))
}
