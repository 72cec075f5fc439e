import type { Precondition } from '../http/etag.ts'
import type { Origin } from './record-parts.ts'

/** A document that replaces a record, or a merge patch of it: https://www.rfc-editor.org/rfc/rfc7396 */
export interface RecordChange {
  readonly kind: 'replace' | 'merge'
  readonly document: unknown
  readonly precondition: Precondition
  readonly origin: Origin
}
