import type { Connection } from '../database/driver.ts'
import { assertMatch, type Conditions, etagOf, isKnown } from '../record/etag.ts'
import { readerOf } from '../record/permitted-rows.ts'
import { recordAt } from '../record/record-address.ts'
import { readableLayoutOf } from '../record/record-layout.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { missingRecord } from '../record/record-target.ts'
import { selectRow } from '../record/select-rows.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** `GET` of one record. */
export async function getRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  { database: { dialect, driver }, cancellation }: RestParts,
): Promise<RestResponse> {
  const target = recordAt(entity, identifier)
  const { columns, write } = readableLayoutOf(entity)
  const read = async (connection: Connection) =>
    target.key &&
    selectRow(
      { table: entity.table, columns, key: target.key, reader: readerOf(entity) },
      connection,
      dialect,
    )
  const row = await driver.read(read, { isolation: 'statement', cancellation })
  if (row === undefined) throw missingRecord(target)
  const body = write(row)
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  return isKnown(conditions.ifNoneMatch, body) ? { status: 304, headers } : { status: 200, headers, body }
}
