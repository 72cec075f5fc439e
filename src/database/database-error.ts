/**
 * What went wrong in the database, in words that are the same for every product. The product's own
 * error is the `cause`: for the log, never for a client.
 */
export type DatabaseErrorKind =
  | 'uniqueViolation'
  | 'foreignKeyViolation'
  | 'notNullViolation'
  /** What was to be made has a name that is taken. */
  | 'alreadyThere'
  /** The database cannot take a value: out of the range of its type, not of its form, or against a rule of the table. */
  | 'valueRefused'
  /** A trigger, or a function that a rule of the table calls, failed in its own code. */
  | 'triggerFailed'
  /** The database's user may not do this. */
  | 'denied'
  /** A table or column is not there, or not as it was: the statement was made for another schema. */
  | 'schemaChanged'
  | 'busy'
  /** All connections were in use for longer than a caller waits, or the server does not answer, also on new ones. */
  | 'noConnection'
  /** Others stood in the way of the transaction, and it was undone: it may begin again. */
  | 'deadlock'
  /** It took longer than a statement may. */
  | 'timedOut'
  /** Ended because nobody waited for it any more. */
  | 'abandoned'
  /** What was read is of no use, and whoever read it is about to be run again; never seen outside of `Driver.read`. */
  | 'givenBack'
  | 'unavailable'
  | 'full'
  | 'readOnly'
  | 'statement'

interface DatabaseErrorParts {
  readonly columns?: readonly string[]
  readonly refusal?: Refusal | undefined
  readonly cause?: unknown
}

/** Why the database refused a row, as far as its owner has written it for people. */
export interface Refusal {
  /** What a trigger or a function says. */
  readonly message?: string
  /** The name of the rule that the row breaks. */
  readonly rule?: string
}

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind
  /** The columns that the violated key or rule is about, where the product tells. */
  readonly columns: readonly string[]
  readonly refusal: Refusal | undefined

  constructor(kind: DatabaseErrorKind, message: string, options: DatabaseErrorParts = {}) {
    super(message, { cause: options.cause })
    this.name = 'DatabaseError'
    this.kind = kind
    this.columns = options.columns ?? []
    this.refusal = options.refusal
  }
}
