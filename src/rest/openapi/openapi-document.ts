import type { PublishedEntity } from '../../query/write-rules.ts'
import { entityPaths, type Reach } from './entity-paths.ts'
import { filterSchemas } from './list-parameters.ts'
import { recordSchemas } from './record-schemas.ts'
import { headers, parameters, responses, schemas, securitySchemes } from './shared-components.ts'

export interface OpenapiSource {
  readonly published: Iterable<PublishedEntity>
  /** What the reader of the document may call: nothing else is in it. */
  readonly reach: Reach
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl: string
  /** Another text whenever the APIs are others. */
  readonly version: string
}

/** Describes the published APIs: https://spec.openapis.org/oas/v3.1.1 */
export function openapiDocument({ published, reach, baseUrl, version }: OpenapiSource): object {
  const shown = [...published].flatMap((entity) => {
    const paths = entityPaths(entity, reach)
    return Object.keys(paths).length === 0 ? [] : [{ entity, paths }]
  })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Published APIs',
      version,
      description:
        'The APIs that this gateway publishes, as far as the account may call them. POST /logon gives the token that every call takes in X-Xaas-Auth-Token or as a bearer token.',
    },
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    security: [{ token: [] }, { bearer: [] }],
    tags: shown.map(({ entity: { name } }) => ({ name })),
    paths: Object.assign({}, ...shown.map(({ paths }) => paths)),
    components: {
      schemas: {
        ...Object.assign({}, ...shown.map(({ entity }) => recordSchemas(entity))),
        ...filterSchemas,
        ...schemas,
      },
      responses,
      parameters,
      headers,
      securitySchemes,
    },
  }
}
