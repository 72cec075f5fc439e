import type { ApiRoute } from './api-route.ts'
import type { RecordConditions } from './record-conditions.ts'

/** What a public route allows anyone: one more authority, without an account. */
export interface PublicAuthority {
  readonly route: ApiRoute
  /** Undefined if it is not only for records. */
  readonly conditions: RecordConditions | undefined
}
