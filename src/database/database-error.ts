import type { AccessFailure } from './access-failure.ts'

/**
 * The kinds of database errors, the same for every product. The product's own error is the `cause`: for the log, never
 * for a client.
 */
export type DatabaseErrorKind =
  | 'uniqueViolation'
  | 'foreignKeyViolation'
  | 'notNullViolation'
  /** The name of what was to be created is taken. */
  | 'alreadyThere'
  /** The database does not accept a value: it is out of range, malformed, or violates a constraint. */
  | 'valueRefused'
  /** A trigger, or a function called by a constraint, failed in its own code. */
  | 'triggerFailed'
  /** The database's user lacks a privilege. */
  | 'denied'
  /** A table or column is absent or has changed: the statement was made for another schema. */
  | 'schemaChanged'
  | 'busy'
  /** All connections were in use for longer than a caller waits. */
  | 'noConnection'
  /** The server does not respond, even on new connections. */
  | 'unresponsive'
  /** The transaction was rolled back because of a conflict with others: it may be retried. */
  | 'deadlock'
  /** It exceeded the statement's time limit. */
  | 'timedOut'
  /** Cancelled because no one waited for it any more. */
  | 'abandoned'
  /** A read has to be retried without the transaction that it shared; never seen outside of `Driver.read`. */
  | 'batchDissolved'
  /** A pooled connection was lost before anything ran on it: the work has to be retried on another one. */
  | 'staleConnection'
  | 'unavailable'
  | 'full'
  | 'readOnly'
  | 'statement'

interface DatabaseErrorParts {
  readonly columns?: readonly string[]
  readonly functionsTable?: string | undefined
  readonly refusal?: Refusal | undefined
  readonly accessFailure?: AccessFailure | undefined
  readonly perhapsCommitted?: boolean
  readonly cause?: unknown
}

/** Why the database refused a row, as far as its message was written for people. */
export interface Refusal {
  /** The message of a trigger or a function. */
  readonly message?: string
  /** The name of the violated constraint. */
  readonly rule?: string
}

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind
  /** The columns of the violated key or constraint, if the product reports them. */
  readonly columns: readonly string[]
  /** The table that refused, which a function or trigger may have written, if the product reports it. */
  readonly functionsTable: string | undefined
  readonly refusal: Refusal | undefined
  /** Why the database cannot be used at all, if that is the reason. */
  readonly accessFailure: AccessFailure | undefined
  /** Whether the transaction may have been committed all the same: its end was not answered. */
  readonly perhapsCommitted: boolean

  constructor(kind: DatabaseErrorKind, message: string, options: DatabaseErrorParts = {}) {
    super(message, { cause: options.cause })
    this.name = 'DatabaseError'
    this.kind = kind
    this.columns = options.columns ?? []
    this.functionsTable = options.functionsTable
    this.refusal = options.refusal
    this.accessFailure = options.accessFailure
    this.perhapsCommitted = options.perhapsCommitted ?? false
  }
}
