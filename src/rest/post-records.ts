import type { Row } from '../database/sql-value.ts'
import { createRecords } from '../record/create-records.ts'
import { layoutOf } from '../record/record-layout.ts'
import type { Origin } from '../record/record-parts.ts'
import { addressColumns, type PublishedEntity } from '../record/record-rules.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { etagOf } from './etag.ts'
import type { KeepResponse } from './idempotency.ts'
import { pathOfKey } from './record-address.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/**
 * `POST` of one record, or of a list of them: then all of them are created, or none. Calls `keep` with the response in
 * the transaction of the records.
 */
export async function postRecords(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RestParts,
  keep: KeepResponse = async () => {},
): Promise<RestResponse> {
  return createRecords(entity, document, origin, parts, async (rows, connection) => {
    const response = await responseOf(rows, Array.isArray(document), entity, parts)
    await keep(connection, response)
    return response
  })
}

async function responseOf(
  rows: readonly Row[],
  isList: boolean,
  entity: PublishedEntity,
  { baseUrl }: RestParts,
): Promise<RestResponse> {
  const layout = layoutOf(entity)
  const bodies = await mapInSlices(rows, layout.write)
  if (isList) return { status: 201, headers: {}, body: `[${bodies.join(',')}]` }
  const [body = ''] = bodies
  const key = addressColumns(entity).map((column) => rows[0]?.[layout.positionOf(column)] ?? null)
  const location = `${baseUrl}/apis/${entity.resource}/${pathOfKey(key, entity)}`
  return { status: 201, headers: { location, etag: etagOf(body) }, body }
}
