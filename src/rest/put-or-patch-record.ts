import { type Conditions, etagOf, preconditionOf } from '../http/etag.ts'
import { atOnce } from '../record/at-once.ts'
import { changeRecord } from '../record/change-record.ts'
import { recordAt } from '../record/record-address.ts'
import type { Origin } from '../record/record-parts.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** A `PUT`, whose document is the whole record, or a `PATCH`, whose document is a merge patch of it. */
export interface RecordUpdate {
  readonly kind: 'replace' | 'merge'
  readonly identifier: string
  readonly document: unknown
  readonly conditions: Conditions
  readonly origin: Origin
}

/** Changes one record and returns its new state. */
export async function putOrPatchRecord(
  entity: PublishedEntity,
  { kind, identifier, document, conditions, origin }: RecordUpdate,
  parts: RestParts,
): Promise<RestResponse> {
  const change = { kind, document, precondition: preconditionOf(conditions), origin }
  const target = recordAt(entity, identifier)
  const changed = await atOnce('update', entity, parts, (enclosing, deferred) =>
    changeRecord(target, change, { ...parts, enclosing }, ({ text }) => {
      deferred.expectLast()
      return text()
    }),
  )
  const body = changed ?? (await changeRecord(target, change, parts, ({ text }) => text()))
  return { status: 200, headers: { etag: etagOf(body) }, body }
}
