import { type Conditions, preconditionOf } from '../http/etag.ts'
import { recordAt } from '../record/record-address.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { removeRecord } from '../record/remove-record.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** `DELETE` of one record; refused while others refer to it. */
export async function deleteRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  parts: RestParts,
): Promise<RestResponse> {
  await removeRecord(recordAt(entity, identifier), preconditionOf(conditions), parts)
  return { status: 204, headers: {} }
}
