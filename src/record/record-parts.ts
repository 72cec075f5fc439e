import type { Database } from '../database/dialect.ts'
import type { CancellationToken } from '../util/cancellation-token.ts'
import type { Clock } from '../util/clock.ts'
import type { EnclosingTransaction } from './enclosing-transaction.ts'

/** The parts that the functions of this folder need. */
export interface RecordParts {
  readonly database: Database
  readonly now: Clock
  /** Gives random UUIDs. */
  readonly uuid: () => string
  /** Gives UUIDs that sort by time, for the instances of records. */
  readonly nextInstance: () => string
  /** The token of the request. */
  readonly cancellation?: CancellationToken
  /** The transaction that all changes are a part of; absent if each call has its own. */
  readonly enclosing?: EnclosingTransaction
}

/** What is stored with a record about the call that wrote it. */
export interface Origin {
  readonly xid: string
  readonly xname: string
}
