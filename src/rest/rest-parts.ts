import type { Database } from '../database/dialect.ts'
import type { Clock } from '../util/clock.ts'
import type { Waiter } from '../util/waiter.ts'

/** What the functions of this folder work with. */
export interface RestParts {
  readonly database: Database
  readonly now: Clock
  /** Gives random UUIDs. */
  readonly uuid: () => string
  /** Gives UUIDs that sort by time, for the instances of records. */
  readonly nextInstance: () => string
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  /** Who waits for the answer. */
  readonly waiter?: Waiter
}

/** What a call is answered with: JSON text, whole or in pieces. */
export interface RestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of `body`, where that is long. Where an error ends them, the text has no end. */
  readonly pieces?: AsyncIterable<string>
}

/** What is written beside a record about the call that wrote it. */
export interface Origin {
  readonly xid: string
  readonly xname: string
}

/** The conditions of a call: https://www.rfc-editor.org/rfc/rfc9110#section-13.1 */
export interface Conditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}
