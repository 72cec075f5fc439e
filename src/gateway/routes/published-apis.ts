/** `/apis/<resource>`, `/apis/<resource>/query` and `/apis/<resource>/<identifier>`: the generated API of every published entity. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError } from '../../database/database-error.ts'
import { AppError } from '../../errors/app-error.ts'
import { clientOf } from '../../http/client-gone.ts'
import type { Handler, Route } from '../../http/routes.ts'
import type { Observer } from '../../observe/events.ts'
import { recordTemplate } from '../../record/record-address.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { triggerFailed } from '../../record/refusal-of.ts'
import { deleteRecord } from '../../rest/delete-record.ts'
import { fieldsOfRecord } from '../../rest/fields/asked-fields.ts'
import { getRecord } from '../../rest/get-record.ts'
import type { Idempotency } from '../../rest/idempotency.ts'
import { argumentsInDocument, argumentsInQuery } from '../../rest/list-arguments.ts'
import type { ListLimits } from '../../rest/list-limits.ts'
import { listRecords } from '../../rest/list-records.ts'
import { readOrigin } from '../../rest/origin.ts'
import { putOrPatchRecord } from '../../rest/put-or-patch-record.ts'
import type { Query } from '../../rest/query.ts'
import type { RestParts, RestResponse } from '../../rest/rest-parts.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { UnreadPiece } from '../../util/pieces-of.ts'
import { type FollowedSchema, onCurrentSchema } from '../on-current-schema.ts'
import type { RecordAccess } from '../rights/record-access.ts'
import type { RelatedEntities } from '../rights/related-entities.ts'
import { clientNameOf } from './client-name.ts'
import { createInRequest } from './create-in-request.ts'
import { parameterOf } from './record-request.ts'
import { conditionsOf } from './record-tag.ts'

export interface PublishedApiParts extends RestParts {
  /** The currently published entities, by resource. */
  readonly published: () => ReadonlyMap<string, PublishedEntity>
  readonly recordAccess: Pick<RecordAccess, 'entityFor'>
  readonly relatedEntities: RelatedEntities
  readonly schema: FollowedSchema
  readonly idempotency: Idempotency
  readonly listLimits: ListLimits
  readonly observe: Observer
}

export function publishedApiRoutes(shared: PublishedApiParts): readonly Route[] {
  type Work = (
    entity: PublishedEntity,
    request: FastifyRequest,
    parts: PublishedApiParts,
  ) => Promise<RestResponse>
  const handle =
    (work: Work): Handler =>
    async (request, reply) => {
      const parts = { ...shared, cancellation: clientOf(reply, clientNameOf(request), causeOf(request)) }
      const response = await onCurrentSchema(parts.schema, () =>
        work(callersEntity(request, parts), request, parts),
      )
      return send(response, reply, (error) => {
        if (!(error instanceof UnreadPiece))
          parts.observe({ kind: 'RequestFailed', requestId: request.id, error })
      })
    }
  // The schema was read again by then: what is missing is missing in a trigger.
  const handleChange =
    (work: Work): Handler =>
    (request, reply) =>
      handle(work)(request, reply).catch((error: unknown) => {
        throw error instanceof DatabaseError && error.kind === 'schemaChanged' ? triggerFailed(error) : error
      })
  const isThere = (path: string) => shared.published().has(path.split('/')[2] ?? '')
  return [
    {
      path: '/apis/:resource',
      isThere,
      bodySize: 'data',
      methods: {
        GET: handle((entity, request, parts) => {
          const query = request.query as Query
          const asked = argumentsInQuery(query, entity)
          return listRecords(
            followed(entity, request, parts),
            { asked, path: '', query },
            parts,
            parts.listLimits,
          )
        }),
        POST: handleChange(createInRequest),
      },
    },
    {
      path: '/apis/:resource/query',
      isThere,
      alsoNeeds: (path) => ({ method: 'GET', path: path.slice(0, path.lastIndexOf('/')) }),
      methods: {
        POST: handle((entity, request, parts) => {
          const query = request.query as Query
          const asked = argumentsInDocument(request.body, query, entity)
          return listRecords(
            followed(entity, request, parts),
            { asked, path: '/query', query },
            parts,
            parts.listLimits,
          )
        }),
      },
    },
    {
      path: '/apis/:resource/:identifier',
      isThere,
      bodySize: 'data',
      methods: {
        GET: handle((entity, request, parts) => {
          const asked = fieldsOfRecord(request.query as Query, entity)
          const [identifier, conditions] = [parameterOf(request, 'identifier'), conditionsOf(request)]
          const shown = followed(entity, request, parts)
          return getRecord(shown, { identifier, conditions, asked }, parts, parts.listLimits)
        }),
        PUT: handleChange((entity, request, parts) => change('replace', entity, request, parts)),
        PATCH: handleChange((entity, request, parts) => change('merge', entity, request, parts)),
        DELETE: handleChange((entity, request, parts) => {
          refuseParameters(request)
          return deleteRecord(entity, parameterOf(request, 'identifier'), conditionsOf(request), parts)
        }),
      },
    },
  ]
}

/** The operation as people who look at slow statements know it. */
function causeOf(request: FastifyRequest): string {
  const { url = '' } = request.routeOptions
  return `${request.method} ${url.replace(':resource', parameterOf(request, 'resource'))}`
}

/** The entity with what the caller may do with its records. */
function callersEntity(
  request: FastifyRequest,
  { published, recordAccess }: PublishedApiParts,
): PublishedEntity {
  const { method, path } = request
  return recordAccess.entityFor(request, method, path, entityOf(request, published()))
}

/** The same with the entities that its fields, and filters of its list, may follow. */
function followed(
  entity: PublishedEntity,
  { caller }: FastifyRequest,
  { relatedEntities }: PublishedApiParts,
): PublishedEntity {
  return relatedEntities.follow(caller, entity)
}

function entityOf(request: FastifyRequest, published: ReadonlyMap<string, PublishedEntity>): PublishedEntity {
  const resource = parameterOf(request, 'resource')
  const entity = published.get(resource)
  if (entity !== undefined) return entity
  const detail = `No entity is published at /apis/${resource}${didYouMean(resource, published.keys())}.`
  throw new AppError('NOT_FOUND', { detail })
}

function change(
  kind: 'replace' | 'merge',
  entity: PublishedEntity,
  request: FastifyRequest,
  parts: RestParts,
): Promise<RestResponse> {
  refuseParameters(request)
  const origin = readOrigin(
    request.headers,
    request.id,
    `${request.method} /apis/${entity.resource}/${recordTemplate(entity)}`,
  )
  const identifier = parameterOf(request, 'identifier')
  const conditions = conditionsOf(request)
  return putOrPatchRecord(entity, { kind, identifier, document: request.body, conditions, origin }, parts)
}

/** Changes take no parameters; a misplaced one would otherwise be ignored silently. */
function refuseParameters({ query }: FastifyRequest): void {
  const [name] = Object.keys(query as object)
  if (name === undefined) return
  const detail = `This call takes no query parameters, and ${JSON.stringify(name)} was sent.`
  throw new AppError('PARAMETER_INVALID', { detail })
}

function send(
  { status, headers, body, pieces }: RestResponse,
  reply: FastifyReply,
  onFailure: (error: unknown) => void,
): FastifyReply {
  reply.status(status).headers(headers)
  if (pieces !== undefined) {
    const stream = Readable.from(pieces, { objectMode: false })
    // The sender closes the connection, so that the client sees that the body is incomplete.
    return reply.type('application/json; charset=utf-8').send(stream.on('error', onFailure))
  }
  return body === undefined ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}
