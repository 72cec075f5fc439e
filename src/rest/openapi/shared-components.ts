/** What the operations of all entities have in common. */
import type { JsonSchema } from '../../record/record-rules.ts'

type Part = Readonly<Record<string, unknown>>

/** A reference to a shared part. */
export const shared = {
  header: (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` }),
  parameter: (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` }),
  response: (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` }),
  schema: (name: string) => ({ $ref: `#/components/schemas/${name}` }),
} as const

export const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Xaas-Auth-Token',
    description: 'The token from POST /logon.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token, in the header Authorization.' },
} as const satisfies Part

export const headers = {
  'X-Request-Id': {
    description: 'Names this request in the log of the gateway.',
    schema: { type: 'string' },
  },
  'X-Gatehouse-Schema': {
    description:
      'Which schema the node serves; info.version of this document. Absent if the request was not authorized.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The tag of the returned record.', schema: { type: 'string' } },
  Location: { description: 'Where the record is; not for a list of records.', schema: { type: 'string' } },
  Link: { description: 'The pages beside this one (RFC 8288).', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'true if a call with the same Idempotency-Key was carried out before.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Total-Count': {
    description: 'How many records match on all pages, if count=true was sent.',
    schema: { type: 'integer' },
  },
} as const satisfies Part

const visibleText: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 }

export const parameters = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the record as it was read: it is changed only if it is still the same.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Names this call, for example by a UUID: sent again within 24 hours, it gets the same response and is not carried out again.',
    schema: visibleText,
  },
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description: 'Whether to check everything, and to create nothing. Without a value it is true.',
    schema: { type: 'string', enum: ['true', 'false', ''], default: 'false' },
    allowEmptyValue: true,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of a record that the caller has: the response is 304 if it is still the same.',
    schema: { type: 'string' },
  },
  'X-Xaas-Xid': {
    name: 'X-Xaas-Xid',
    in: 'header',
    description: 'Stored in the record as xid; by default the id of the request.',
    schema: visibleText,
  },
  'X-Xaas-Xname': {
    name: 'X-Xaas-Xname',
    in: 'header',
    description: 'Stored in the record as xname; by default the name of the API.',
    schema: visibleText,
  },
} as const satisfies Part

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/gateway.Problem' } },
}
const alwaysSent = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'X-Gatehouse-Schema': { $ref: '#/components/headers/X-Gatehouse-Schema' },
}
const problem = (description: string) => ({
  description,
  headers: alwaysSent,
  content: problemContent,
})

export const responses = {
  NotModified: {
    description: 'The caller has the record already.',
    headers: { ...alwaysSent, ETag: { $ref: '#/components/headers/ETag' } },
  },
  Unreadable: problem('The request cannot be read.'),
  Unauthorized: problem(
    'The token is missing, unknown or expired; or, with an empty object, the role does not allow the call.',
  ),
  NotFound: problem('There is no such record.'),
  Conflict: problem(
    'A unique value is taken, other records refer to this one, or the same call is being carried out.',
  ),
  Changed: problem('The record has changed since it was read.'),
  Invalid: problem('The record breaks a rule of its entity; every mistake is listed.'),
  Problem: problem('Any other error.'),
} as const satisfies Part

export const schemas = {
  'gateway.Problem': {
    type: 'object',
    description: 'An error (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string', description: 'Stable; for programs.' },
      detail: { type: 'string', description: 'For people.' },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { pointer: { type: 'string', format: 'json-pointer' }, detail: { type: 'string' } },
          required: ['pointer', 'detail'],
        },
      },
    },
  },
} as const satisfies Part
