import * as v from 'valibot'
import { oneOf, strictObject } from '../../documents/document-schema.ts'

/** The parameters of `GET /openapi.json`. */
export const openapiQuery = strictObject({
  entity: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('The name of the only entity to describe.')),
  ),
  operations: v.pipe(
    v.optional(oneOf(['true', 'false']), 'true'),
    v.transform((text) => text === 'true'),
    v.description(
      'Whether to describe operations. Without them, `tags` list the entities; `x-path` is the path of each.',
    ),
  ),
})
