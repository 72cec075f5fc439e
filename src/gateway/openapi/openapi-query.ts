import * as v from 'valibot'
import { oneOf, strictObject } from '../../documents/document-schema.ts'

/** The parameters of `GET /openapi.json`. */
export const openapiQuery = strictObject({
  entity: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('The name of the only entity to describe.')),
  ),
  route: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.description('The name of the only route to an upstream API to describe.'),
    ),
  ),
  operations: v.pipe(
    v.optional(oneOf(['true', 'false']), 'true'),
    v.transform((text) => text === 'true'),
    v.description(
      'Whether to describe operations. Without them, `tags` list the entities and the routes to upstream APIs: `x-path` is the path of each, and `x-route` the name of a route.',
    ),
  ),
})
