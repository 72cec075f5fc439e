/** The operations of an entity's API. */
import type { Reach } from '../../http/reach.ts'
import { mostNewRecords } from '../../record/create-records.ts'
import { type DescribedEntity, mayCreateSome } from '../../record/described-entity.ts'
import { recordTemplate } from '../../record/record-address.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { isForeign } from '../../record/record-rules.ts'
import { fieldsParameter, listDocumentOf, listParametersOf, placeParameters } from './list-parameters.ts'
import { schemaNamesOf } from './record-schemas.ts'
import { shared } from './shared-components.ts'

type Part = Readonly<Record<string, unknown>>

/** The path items of an entity, with the operations that a caller may call; empty if there are none. */
export function entityPaths(entity: DescribedEntity, reach: Reach): Readonly<Record<string, Part>> {
  const path = `/apis/${entity.resource}`
  const list = pick(listOperations(entity), (method) =>
    method === 'POST' && !mayCreateSome(entity)
      ? [false, false]
      : [reach.mayCall(method, path), reach.anybody.mayCall(method, path)],
  )
  const single = pick(recordOperations(entity), (method) => [
    reach.mayCallBelow(method, path),
    reach.anybody.mayCallBelow(method, path),
  ])
  const query = pick(queryOperation(entity), (method) => [
    isEither(reach, method, `${path}/query`) && isEither(reach, 'GET', path),
    reach.anybody.mayCall(method, `${path}/query`) && reach.anybody.mayCall('GET', path),
  ])
  return {
    ...(Object.keys(list).length > 0 && { [path]: list }),
    ...(Object.keys(query).length > 0 && { [`${path}/query`]: query }),
    ...(Object.keys(single).length > 0 && {
      [`${path}/${recordTemplate(entity)}`]: { parameters: keyParameters(entity), ...single },
    }),
  }
}

/** Whether a caller may call some operation of an entity. */
export function mayCallSome(entity: DescribedEntity, reach: Reach): boolean {
  const path = `/apis/${entity.resource}`
  return (
    isEither(reach, 'GET', path) ||
    (isEither(reach, 'POST', path) && mayCreateSome(entity)) ||
    ['GET', 'PUT', 'PATCH', 'DELETE'].some(
      (method) => reach.mayCallBelow(method, path) || reach.anybody.mayCallBelow(method, path),
    )
  )
}

/** Whether a caller may call it by its roles, or because it is public. */
function isEither({ mayCall, anybody }: Reach, method: string, path: string): boolean {
  return mayCall(method, path) || anybody.mayCall(method, path)
}

function pick(
  operations: Readonly<Record<string, Part>>,
  allowed: (method: string) => readonly [caller: boolean, anybody: boolean],
): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, operation]) => {
      const [caller, anybody] = allowed(name.toUpperCase())
      if (!caller && !anybody) return []
      return [[name, anybody ? { ...operation, security: [] } : operation]]
    }),
  )
}

function keyParameters({ name, rules }: PublishedEntity): readonly Part[] {
  const { key, fields } = rules
  const escapes = isForeign({ rules })
    ? ' In a value, "~" is written ~0, a comma ~1, a slash ~2, a backslash ~3, nothing at all ~4, a first dot ~5, and a control character ~x and its two hexadecimal digits.'
    : ''
  return key.map((field) => {
    const { column, codec } = fields.get(field) ?? {}
    const isBinary = column?.type === 'binary'
    return {
      name: field,
      in: 'path',
      required: true,
      description: `The ${field} of a ${name}${isBinary ? ', its bytes in base64url without padding' : ''}.${escapes}`,
      schema: isBinary ? { type: 'string' } : (codec?.written ?? { type: 'string' }),
    }
  })
}

const always = {
  'X-Request-Id': shared.header('X-Request-Id'),
  'X-Gatehouse-Schema': shared.header('X-Gatehouse-Schema'),
}
const etag = { ETag: shared.header('ETag') }
const origin = [shared.parameter('X-Xaas-Xid'), shared.parameter('X-Xaas-Xname')]
const anyFailure = { '401': shared.response('Unauthorized'), default: shared.response('Problem') }
const json = (schema: Part) => ({ 'application/json': { schema } })

function listOperations(entity: PublishedEntity): Readonly<Record<string, Part>> {
  const { name } = entity
  const { record, creation } = schemaNamesOf(entity)
  const oneOrMany = (schema: string) => ({
    oneOf: [
      shared.schema(schema),
      { type: 'array', items: shared.schema(schema), minItems: 1, maxItems: mostNewRecords },
    ],
  })
  return {
    get: {
      operationId: `list${name}`,
      tags: [name],
      summary: `Lists records of ${name}.`,
      parameters: listParametersOf(entity),
      responses: listResponses(record),
    },
    post: {
      operationId: `create${name}`,
      tags: [name],
      summary: `Creates a ${name}, or a list of them: all or none.`,
      parameters: [shared.parameter('dry_run'), shared.parameter('Idempotency-Key'), ...origin],
      requestBody: { required: true, content: json(oneOrMany(creation)) },
      responses: {
        '200': {
          description: 'With dry_run: what would be created. Instances and generated values would be others.',
          headers: always,
          content: json(oneOrMany(record)),
        },
        '201': {
          description: 'What was created.',
          headers: {
            ...always,
            ...etag,
            Location: shared.header('Location'),
            'Idempotent-Replayed': shared.header('Idempotent-Replayed'),
          },
          content: json(oneOrMany(record)),
        },
        '400': shared.response('Unreadable'),
        '409': shared.response('Conflict'),
        '422': shared.response('Invalid'),
        ...anyFailure,
      },
    },
  }
}

function listResponses(record: string): Readonly<Record<string, Part>> {
  return {
    '200': {
      description: 'The records; of each only the fields that are asked for.',
      headers: {
        ...always,
        Link: shared.header('Link'),
        'X-Total-Count': shared.header('X-Total-Count'),
      },
      content: json({ type: 'array', items: shared.schema(record) }),
    },
    '400': shared.response('Unreadable'),
    ...anyFailure,
  }
}

function queryOperation(entity: PublishedEntity): Readonly<Record<string, Part>> {
  const { name } = entity
  return {
    post: {
      operationId: `query${name}`,
      tags: [name],
      summary: `Lists records of ${name} by a document, for long filters. It needs the right to list them, too.`,
      parameters: placeParameters,
      requestBody: { required: true, content: json(listDocumentOf(entity)) },
      responses: listResponses(schemaNamesOf(entity).record),
    },
  }
}

function recordOperations(entity: PublishedEntity): Readonly<Record<string, Part>> {
  const { name } = entity
  const { record, replacement, change } = schemaNamesOf(entity)
  const found = {
    description: 'The record.',
    headers: { ...always, ...etag },
    content: json(shared.schema(record)),
  }
  const writing = {
    '400': shared.response('Unreadable'),
    '404': shared.response('NotFound'),
    '409': shared.response('Conflict'),
    '412': shared.response('Changed'),
    ...anyFailure,
  }
  return {
    get: {
      operationId: `get${name}`,
      tags: [name],
      summary: `Reads a ${name}.`,
      parameters: [fieldsParameter(entity), shared.parameter('If-None-Match')],
      responses: {
        '200': { ...found, description: 'The record, or only the fields that are asked for.' },
        '304': shared.response('NotModified'),
        '404': shared.response('NotFound'),
        '412': shared.response('Changed'),
        ...anyFailure,
      },
    },
    put: {
      operationId: `replace${name}`,
      tags: [name],
      summary: `Replaces the values of a ${name}.`,
      parameters: [shared.parameter('If-Match'), ...origin],
      requestBody: { required: true, content: json(shared.schema(replacement)) },
      responses: { '200': found, '422': shared.response('Invalid'), ...writing },
    },
    patch: {
      operationId: `change${name}`,
      tags: [name],
      summary: `Changes some fields of a ${name}.`,
      parameters: [shared.parameter('If-Match'), ...origin],
      requestBody: {
        required: true,
        content: {
          'application/merge-patch+json': { schema: shared.schema(change) },
          ...json(shared.schema(change)),
        },
      },
      responses: { '200': found, '422': shared.response('Invalid'), ...writing },
    },
    delete: {
      operationId: `delete${name}`,
      tags: [name],
      summary: `Deletes a ${name}.`,
      parameters: [shared.parameter('If-Match')],
      responses: { '204': { description: 'The record was removed.', headers: always }, ...writing },
    },
  }
}
