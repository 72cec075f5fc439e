import { layoutOf } from '../record/record-layout.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { findRow, missingRecord } from '../record/record-target.ts'
import { assertMatch, etagOf, isKnown } from './etag.ts'
import { recordAt } from './record-address.ts'
import type { Conditions, RestParts, RestResponse } from './rest-parts.ts'

/** `GET` of one record. */
export async function getRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  { database: { dialect, driver }, cancellation }: RestParts,
): Promise<RestResponse> {
  const target = recordAt(entity, identifier)
  const row = await driver.read((connection) => findRow(target, connection, dialect), {
    isolation: 'statement',
    cancellation,
  })
  if (row === undefined) throw missingRecord(target)
  const body = layoutOf(entity).write(row)
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  return isKnown(conditions.ifNoneMatch, body) ? { status: 304, headers } : { status: 200, headers, body }
}
