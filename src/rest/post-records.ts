import { etagOf } from '../http/etag.ts'
import { atOnce } from '../record/at-once.ts'
import { type CreatedRecords, createRecords } from '../record/create-records.ts'
import { tryOut } from '../record/in-transaction.ts'
import { untoldNames } from '../record/permitted-rows.ts'
import { pathOfKey } from '../record/record-address.ts'
import { layoutOf } from '../record/record-layout.ts'
import type { Origin } from '../record/record-parts.ts'
import { addressColumns, type PublishedEntity } from '../record/record-rules.ts'
import { ownMember } from '../util/own-member.ts'
import type { KeepResponse } from './idempotency.ts'
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
  keep?: KeepResponse,
): Promise<RestResponse> {
  const isList = Array.isArray(document)
  const created =
    isList || keep !== undefined
      ? undefined
      : await atOnce('insert', entity, parts, (enclosing, deferred) =>
          createRecords(entity, document, origin, { ...parts, enclosing }, (created) => {
            deferred.expectLast()
            return responseOf(created, document, entity, parts)
          }),
        )
  if (created !== undefined) return created
  return createRecords(entity, document, origin, parts, async (created) => {
    const response = await responseOf(created, document, entity, parts)
    await keep?.(created.connection, response)
    return response
  })
}

/**
 * The same without an effect: it is refused as `postRecords` is, and otherwise returns the records as they would be, with
 * other instances and generated values.
 */
export async function tryRecords(
  entity: PublishedEntity,
  document: unknown,
  origin: Origin,
  parts: RestParts,
): Promise<RestResponse> {
  const finish = async (created: CreatedRecords): Promise<RestResponse> => {
    const { body = '' } = await responseOf(created, document, entity, parts)
    return { status: 200, headers: {}, body }
  }
  return createRecords(entity, document, origin, parts, finish, tryOut)
}

async function responseOf(
  created: CreatedRecords,
  document: unknown,
  entity: PublishedEntity,
  { baseUrl }: RestParts,
): Promise<RestResponse> {
  const layout = layoutOf(entity)
  const rows = await created.rows()
  const texts = await created.texts()
  if (Array.isArray(document)) return { status: 201, headers: {}, body: `[${texts.join(',')}]` }
  const [body = ''] = texts
  const etag = etagOf(body)
  if (!isAddressKnown(document, body, entity)) return { status: 201, headers: { etag }, body }
  const key = addressColumns(entity).map((column) => rows[0]?.[layout.positionOf(column)] ?? null)
  const location = `${baseUrl}/apis/${entity.resource}/${pathOfKey(key, entity)}`
  return { status: 201, headers: { location, etag }, body }
}

/** Whether a caller has sent the identifier of its new record, or may read it. */
function isAddressKnown(document: unknown, body: string, entity: PublishedEntity): boolean {
  if (entity.rights?.read === undefined) return true
  const sources: readonly Readonly<Record<string, unknown>>[] = [Object(document), JSON.parse(body)]
  return untoldNames(addressColumns(entity), entity.table).every((name) =>
    sources.some((source) => (ownMember(source, name) ?? null) !== null),
  )
}
