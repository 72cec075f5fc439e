import type { Reach, ReachedRoute } from '../../http/reach.ts'
import type { DescribedEntity } from '../../record/described-entity.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { entityPaths, mayCallSome } from './entity-paths.ts'
import { filterSchemas } from './list-parameters.ts'
import { recordSchemas } from './record-schemas.ts'
import { routePaths, shapeOfPath, taggedRoutes, tagOfRoute } from './route-paths.ts'
import { headers, parameters, responses, schemas, securitySchemes } from './shared-components.ts'

export interface OpenapiSource {
  readonly published: Iterable<DescribedEntity>
  /** What the reader of the document may call; it contains nothing else. */
  readonly reach: Reach
  /** The routes to upstream APIs that the reader may call. */
  readonly routes: readonly ReachedRoute[]
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  /** A text that changes with the APIs. */
  readonly version: string
  /** Whether to describe operations and schemas; otherwise only the tags say which entities there are. */
  readonly withOperations: boolean
}

/**
 * Describes the published APIs and the routes to upstream APIs: https://spec.openapis.org/oas/v3.1.1. The text is made in
 * pieces, an entity at a time, in time slices.
 */
export async function* openapiText({
  published,
  reach,
  routes,
  baseUrl,
  version,
  withOperations,
}: OpenapiSource): AsyncGenerator<string> {
  const slices = new TimeSlices()
  const shown: { readonly entity: DescribedEntity; readonly paths: string }[] = []
  const taken = new Set<string>()
  for (const entity of published) {
    if (slices.isOver) await slices.next()
    if (!mayCallSome(entity, reach)) continue
    const paths = withOperations ? entityPaths(entity, reach) : {}
    for (const path of Object.keys(paths)) taken.add(shapeOfPath(path))
    shown.push({ entity, paths: members(paths) })
  }
  const tagged = taggedRoutes(
    routes,
    shown.map(({ entity: { name } }) => name),
  )
  const info = {
    title: 'Published APIs',
    version,
    description:
      'The APIs of this gateway that the account may call. POST /logon returns the token for every call, in X-Xaas-Auth-Token or as a bearer token.',
  }
  const head = {
    openapi: '3.1.1',
    info,
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    security: [{ token: [] }, { bearer: [] }],
    tags: [
      ...shown.map(({ entity: { name, resource } }) => ({ name, 'x-path': `/apis/${resource}` })),
      ...tagged.map(tagOfRoute),
    ],
  }
  if (!withOperations) {
    yield `{${members({ ...head, paths: {}, components: { securitySchemes } })}}`
    return
  }
  yield `{${members(head)},"paths":{`
  let comma = ''
  for (const { paths } of shown) {
    if (slices.isOver) await slices.next()
    yield comma + paths
    comma = ','
  }
  for (const [path, item] of routePaths(tagged, taken)) {
    if (slices.isOver) await slices.next()
    yield comma + members({ [path]: item })
    comma = ','
  }
  yield '},"components":{"schemas":{'
  for (const { entity } of shown) {
    if (slices.isOver) await slices.next()
    yield `${members(recordSchemas(entity))},`
  }
  yield `${members({ ...filterSchemas, ...schemas })}},`
  yield `${members({ responses, parameters, headers, securitySchemes })}}}`
}

/** The members of an object as JSON, without the braces. */
function members(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}
