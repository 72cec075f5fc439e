/** `/openapi.json`: the published and upstream APIs that the caller may call; `/manage/openapi.json`: the gateway's own paths. */
import { Readable } from 'node:stream'
import type { Access } from '../../access/access.ts'
import { missingRecord } from '../../access/administration/audited-change.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import type { Reach } from '../../http/reach.ts'
import type { Route } from '../../http/routes.ts'
import type { DescribedEntity } from '../../record/described-entity.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { mayCallSome } from '../../rest/openapi/entity-paths.ts'
import { openapiText } from '../../rest/openapi/openapi-document.ts'
import { managementDocument } from '../openapi/management-document.ts'
import { openapiQuery } from '../openapi/openapi-query.ts'
import type { RecordAccess } from '../rights/record-access.ts'
import type { RelatedEntities } from '../rights/related-entities.ts'

export interface OpenapiRouteParts {
  readonly published: () => ReadonlyMap<string, PublishedEntity>
  readonly access: Pick<Access, 'reachOf' | 'reachedRoutes'>
  readonly recordAccess: Pick<RecordAccess, 'describedFor'>
  readonly relatedEntities: RelatedEntities
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  readonly version: () => string
  /** The version of the program. */
  readonly programVersion: string
}

export function openapiRoutes({
  published,
  access,
  recordAccess,
  relatedEntities,
  baseUrl,
  version,
  programVersion,
}: OpenapiRouteParts): readonly Route[] {
  let management: string | undefined
  return [
    {
      path: '/openapi.json',
      methods: {
        async GET(request, reply) {
          const { caller, query } = request
          const { entity, route, operations } = parseDocument(openapiQuery, query, 'PARAMETER_INVALID')
          const reach = await access.reachOf(caller)
          const isWhole = entity === undefined && route === undefined
          const describe = (one: PublishedEntity) =>
            relatedEntities.follow(caller, recordAccess.describedFor(request, one))
          const all = isWhole ? [...published().values()] : []
          const asked =
            entity === undefined
              ? all.values().map(describe)
              : [callableEntity(entity, published(), reach, describe)]
          const routes = isWhole || route !== undefined ? await access.reachedRoutes(caller, route) : []
          if (route !== undefined && routes.length === 0) throw missingRecord('route', route)
          const source = {
            published: asked,
            reach,
            routes,
            baseUrl,
            version: version(),
            withOperations: operations,
          }
          const text = Readable.from(openapiText(source), { objectMode: false })
          return reply.type('application/json; charset=utf-8').send(text)
        },
      },
    },
    {
      path: '/manage/openapi.json',
      methods: {
        async GET(_request, reply) {
          management ??= JSON.stringify(managementDocument(baseUrl, programVersion))
          return reply.type('application/json; charset=utf-8').send(management)
        },
      },
    },
  ]
}

/** Throws RECORD_NOT_FOUND for an entity that the caller may not call, as for one that does not exist. */
function callableEntity(
  name: string,
  published: ReadonlyMap<string, PublishedEntity>,
  reach: Reach,
  describe: (entity: PublishedEntity) => DescribedEntity,
): DescribedEntity {
  const entity = published.values().find((one) => one.name === name)
  const described = entity && describe(entity)
  if (described === undefined || !mayCallSome(described, reach)) throw missingRecord('published entity', name)
  return described
}
