/** `/manage/openapi.json`: the gateway's own paths, described from the schemas that check what clients send. */
import type * as v from 'valibot'
import { isOptional, type JsonSchema, jsonSchemaOf, referencedSchemaOf } from '../../documents/json-schema.ts'
import { accountOperations } from './account-operations.ts'
import { entityOperations } from './entity-operations.ts'
import { logonOperations } from './logon-operations.ts'
import type { Condition, Operation, OperationGroup, Response } from './operation.ts'
import { ownTableOperations } from './own-table-operations.ts'
import { passkeyOperations } from './passkey-operations.ts'
import { problemSchema, refusalSchema } from './problem-schema.ts'
import { roleOperations } from './role-operations.ts'
import { routeOperations } from './route-operations.ts'
import { schemaOperations } from './schema-operations.ts'
import { secondFactorOperations } from './second-factor-operations.ts'
import { serviceOperations } from './service-operations.ts'

const groups: readonly OperationGroup[] = [
  logonOperations,
  secondFactorOperations,
  passkeyOperations,
  ownTableOperations,
  accountOperations,
  roleOperations,
  routeOperations,
  entityOperations,
  schemaOperations,
  serviceOperations,
]

const named: Readonly<Record<string, v.GenericSchema>> = {
  Problem: problemSchema,
  ...Object.assign({}, ...groups.map(({ schemas }) => schemas)),
}
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

const headers = {
  ETag: {
    description: 'Names the state of the record; for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
  Link: { description: 'The next page (RFC 8288); absent on the last one.', schema: { type: 'string' } },
  Location: { description: 'Where the new record is.', schema: { type: 'string' } },
}

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Xaas-Auth-Token',
    description: 'The token from POST /logon.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token, in the header Authorization.' },
}

const conditionTexts: Readonly<Record<Condition, string>> = {
  'If-Match':
    'The ETag of the record as it was read: it is changed only if it is still the same, otherwise 412.',
  'If-None-Match':
    'The ETag of a record that the caller has: the response is 304 without a body if it is still the same.',
  'If-None-Match: *': '`*`: the record is created only, and not replaced; otherwise 412.',
}

/** Segments of paths that stand for any text. */
const pathParameters: Readonly<Record<string, string>> = {
  id: 'The id of the passkey.',
  name: 'The name of the record.',
  username: 'The name of the account.',
  version: 'The number of a version, from 1.',
}

/** The whole document: https://spec.openapis.org/oas/v3.1.1. It is the same for every caller. */
export function managementDocument(baseUrl: string, version: string): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version,
      description:
        "The gateway's own paths: logging on, and management. GET /openapi.json describes the published APIs. POST /logon returns the token for every call, in X-Xaas-Auth-Token or as a bearer token; a role must allow the method on the path.",
    },
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    security: [{ token: [] }, { bearer: [] }],
    tags: groups.map(({ tag }) => ({ name: tag })),
    paths: pathItems(),
    components: {
      schemas: Object.fromEntries(
        Object.entries(named).map(([name, schema]) => [name, referencedSchemaOf(schema, reference)]),
      ),
      headers,
      securitySchemes,
    },
  }
}

function reference(schema: v.GenericSchema): string | undefined {
  const name = names.get(schema)
  return name === undefined ? undefined : `#/components/schemas/${name}`
}

const schemaOf = (schema: v.GenericSchema) => jsonSchemaOf(schema, reference)

function pathItems(): JsonSchema {
  const items: Record<string, Record<string, JsonSchema>> = {}
  for (const { tag, operations } of groups) {
    for (const [key, operation] of Object.entries(operations)) {
      const [method = '', path = ''] = key.split(' ')
      const template = path.replace(/:(\w+)/g, '{$1}')
      items[template] = { ...items[template], [method.toLowerCase()]: shown(path, operation, tag) }
    }
  }
  return items
}

function shown(path: string, operation: Operation, tag: string): JsonSchema {
  const { id, summary, description, access, body, responses } = operation
  const parameters = parametersOf(path, operation)
  const successes = Object.entries(responses).map(([status, response]) => [status, shownResponse(response)])
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(access === 'open' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: { ...Object.fromEntries(successes), ...othersOf(operation) },
  }
}

function parametersOf(
  path: string,
  { query, headers = {}, conditions = [] }: Operation,
): readonly JsonSchema[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameters[name] ?? '',
    schema: { type: 'string' },
  }))
  const entries = Object.entries(query?.onlyEntries ?? {}) as readonly (readonly [string, v.GenericSchema])[]
  const inQuery = entries.map(([name, own]) => {
    const { description, ...schema } = schemaOf(own)
    const isRequired = !isOptional(own)
    return {
      name,
      in: 'query',
      ...(isRequired && { required: true }),
      ...(description ? { description } : {}),
      schema,
    }
  })
  const inHeader = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))
  const asConditions = conditions.map((condition) => ({
    name: condition.replace(': *', ''),
    in: 'header',
    description: conditionTexts[condition],
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeader, ...asConditions]
}

function shownResponse({ description, schema, mediaType = 'application/json', headers: own = [] }: Response) {
  return {
    description,
    ...(own.length === 0
      ? {}
      : {
          headers: Object.fromEntries(own.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        }),
    ...(schema === undefined ? {} : { content: { [mediaType]: { schema: schemaOf(schema) } } }),
  }
}

/** Responses that follow from what an operation is. */
function othersOf({ access, conditions = [] }: Operation): JsonSchema {
  const problem = (description: string, schema: v.GenericSchema) => ({
    description,
    content: { 'application/problem+json': { schema: schemaOf(schema) } },
  })
  return {
    ...(access === 'open'
      ? {}
      : {
          401: problem(
            'The token is missing, unknown or expired; or, with an empty object, the role does not allow the call.',
            refusalSchema,
          ),
        }),
    ...(conditions.includes('If-None-Match')
      ? { 304: { description: 'The caller has the record already.' } }
      : {}),
    ...(conditions.length === 0
      ? {}
      : { 412: problem('The record is not as the conditions of the call say.', problemSchema) }),
    default: problem('Any other error; its code says which.', problemSchema),
  }
}
