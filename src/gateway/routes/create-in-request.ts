/** `POST /apis/<resource>`: creates records, or says with `dry_run` whether it would. */
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { oneOf, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import type { Idempotency } from '../../rest/idempotency.ts'
import { readIdempotencyKey } from '../../rest/idempotency-key.ts'
import { readOrigin } from '../../rest/origin.ts'
import { postRecords, tryRecords } from '../../rest/post-records.ts'
import type { RestParts, RestResponse } from '../../rest/rest-parts.ts'
import { rightsTagOf } from '../rights/rights-tag.ts'

const creationQuery = strictObject({ dry_run: v.optional(oneOf(['true', 'false', '']), 'false') })

/** Creates the records in the body of a request. A dry run leaves its idempotency key free. */
export async function createInRequest(
  entity: PublishedEntity,
  request: FastifyRequest,
  parts: RestParts & { readonly idempotency: Idempotency },
): Promise<RestResponse> {
  const { body, caller, headers, id, query } = request
  const { dry_run: dryRun } = parseDocument(creationQuery, { ...(query as object) }, 'PARAMETER_INVALID')
  const api = `POST /apis/${entity.resource}`
  const origin = readOrigin(headers, id, api)
  const account = caller?.username ?? ''
  const key = headers['idempotency-key']
  const rights = key === undefined ? '' : rightsTagOf(request)
  const call = await readIdempotencyKey(key, { account, rights, api, document: body })
  if (dryRun !== 'false') return tryRecords(entity, body, origin, parts)
  if (call === undefined) return postRecords(entity, body, origin, parts)
  return parts.idempotency.once(call, (keep) => postRecords(entity, body, origin, parts, keep))
}
