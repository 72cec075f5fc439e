/**
 * `/graphql`: the schema as text, and operations by the GraphQL-over-HTTP specification
 * (https://graphql.github.io/graphql-over-http/draft/). A browser gets GraphiQL.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { carriesToken } from '../../access/authentication/authenticate.ts'
import type { Database } from '../../database/dialect.ts'
import { AppError } from '../../errors/app-error.ts'
import { executeGraphql } from '../../graphql/execute-graphql.ts'
import type { GraphqlRequest } from '../../graphql/graphql-request.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import { preferredMediaType } from '../../http/accept.ts'
import { clientOf } from '../../http/client-gone.ts'
import { sendBytes, sendPieces } from '../../http/compressed.ts'
import type { Route } from '../../http/routes.ts'
import type { Observer } from '../../observe/events.ts'
import { ByteWriterPool } from '../../util/byte-writer-pool.ts'
import type { BundledPage } from '../bundled-page.ts'
import { type FollowedSchema, onCurrentSchema } from '../on-current-schema.ts'
import type { CallerView, RecordAccess } from '../rights/record-access.ts'
import { pageFileRoutes, prefersPage, sendPage } from './bundled-pages.ts'
import { clientNameOf } from './client-name.ts'

export interface GraphqlRouteParts {
  readonly database: Database
  readonly snapshot: () => SchemaSnapshot
  readonly recordAccess: Pick<RecordAccess, 'viewFor'>
  /** Resolves when a snapshot is current that was read after this call. */
  readonly schema: FollowedSchema
  readonly observe: Observer
  /** How long a request may take in all. */
  readonly timeLimitMs: number
  /** Shorter responses are not compressed. */
  readonly compressFromBytes: number
  /** Whether anyone may post to `/graphql`. */
  readonly isPublic: () => Promise<boolean>
  /** The page for browsers; absent if they get the same as any client. */
  readonly page?: BundledPage
}

const responseMediaType = 'application/graphql-response+json'
const responseMediaTypes = [responseMediaType, 'application/json'] as const

export function graphqlRoutes(given: GraphqlRouteParts): readonly Route[] {
  const parts = { ...given, writers: new ByteWriterPool() }
  const { page, isPublic } = parts
  return [
    {
      path: '/graphql',
      bodySize: 'data',
      // A browser that opens the address cannot send a token; the page asks for it. A token that is sent is checked.
      access: (request) =>
        page !== undefined && wantsPage(request) && !carriesToken(request.headers) ? 'open' : 'protected',
      parts: () => parts.snapshot().rightNames,
      methods: {
        GET: async (request, reply) => {
          reply.header('vary', 'accept')
          if (page !== undefined && wantsPage(request)) return sendPage(reply, page, await isPublic())
          const { query } = request.query as Record<string, unknown>
          if (query === undefined) return sendSchema(request, reply, parts)
          return respond(request, reply, () => fromQuery(request.query as Record<string, unknown>), parts)
        },
        POST: async (request, reply) => respond(request, reply, () => fromBody(request.body), parts),
      },
    },
    ...(page === undefined ? [] : pageFileRoutes('graphiql', page)),
  ]
}

/** The part of the schema that the caller may see. */
function viewFor(request: FastifyRequest, { recordAccess }: GraphqlRouteParts): Promise<CallerView> {
  return recordAccess.viewFor(request, request.method, request.onlyParts)
}

/** Whether a request for `/graphql` comes from a browser that opens the address: it asks for HTML and has no query. */
function wantsPage(request: FastifyRequest): boolean {
  return prefersPage(request) && (request.query as Record<string, unknown>).query === undefined
}

async function sendSchema(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: GraphqlRouteParts,
): Promise<FastifyReply> {
  const {
    view: { sdl },
  } = await viewFor(request, parts)
  const bytes = Buffer.from(JSON.stringify({ schema: await sdl }))
  return sendBytes(reply.type('application/json; charset=utf-8'), bytes, parts.compressFromBytes)
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => GraphqlRequest,
  parts: GraphqlRouteParts & { readonly writers: ByteWriterPool },
): Promise<FastifyReply> {
  const { database, observe, compressFromBytes, timeLimitMs } = parts
  const mediaType = preferredMediaType(
    request.headers.accept ?? 'application/json',
    responseMediaTypes,
    'application/json',
  )
  if (mediaType === undefined) {
    throw new AppError('NOT_ACCEPTABLE', { detail: `Accept ${responseMediaTypes.join(' or ')}.` })
  }
  reply.type(`${mediaType}; charset=utf-8`)
  let graphqlRequest: GraphqlRequest
  try {
    graphqlRequest = read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return reply
      .status(400)
      .send(JSON.stringify({ errors: [{ message: error.message, extensions: { code: error.code } }] }))
  }
  const { writers } = parts
  const cancellation = clientOf(reply, clientNameOf(request), causeOf(graphqlRequest))
  const response = await onCurrentSchema(
    parts.schema,
    async (isLast) => {
      const { view, ruleVariables } = await viewFor(request, parts)
      const ruled = ruleVariables === undefined ? graphqlRequest : { ...graphqlRequest, ruleVariables }
      return executeGraphql(ruled, view, database, {
        cancellation,
        timeLimitMs,
        onFailure: (error) => observe({ kind: 'RequestFailed', requestId: request.id, error }),
        beginsAgain: !isLast,
        writers,
      })
    },
    { toldByWork: true },
  )
  switch (response.kind) {
    case 'whole':
      return sendBytes(reply, response.whole, compressFromBytes)
    case 'pieces':
      return sendPieces(reply, response.pieces)
    case 'refused':
      if (response.isNoQuery && request.method === 'GET') {
        return reply.status(405).header('allow', 'POST').send(response.text)
      }
      // In the specification's own media type it is 400; clients of plain JSON expect 200.
      return reply.status(mediaType === 'application/json' ? 200 : 400).send(response.text)
  }
}

/** The operation as people who look at slow statements know it. */
function causeOf({ query, operationName }: GraphqlRequest): string {
  const [, name = ''] = operationName === undefined ? (namedOperation.exec(query) ?? []) : ['', operationName]
  return name === '' ? 'GraphQL' : `GraphQL ${name.slice(0, 100)}`
}

/** A document that begins with an operation that has a name. */
const namedOperation = /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/

function fromBody(body: unknown): GraphqlRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object with the key "query".')
  }
  return graphqlRequestOf(body as Record<string, unknown>)
}

function fromQuery(query: Record<string, unknown>): GraphqlRequest {
  const json = (name: string): unknown => {
    const text = query[name]
    if (text === undefined || text === '') return undefined
    try {
      return JSON.parse(String(text))
    } catch {
      throw invalid(`The parameter "${name}" must be JSON.`)
    }
  }
  return graphqlRequestOf({ ...query, variables: json('variables'), extensions: json('extensions') })
}

function graphqlRequestOf(source: Record<string, unknown>): GraphqlRequest {
  const { query, operationName, variables, extensions } = source
  if (typeof query !== 'string') throw invalid('"query" must be a text: the GraphQL document.')
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw invalid('"operationName" must be a text.')
  if (!isAbsent(variables) && !isObject(variables)) throw invalid('"variables" must be an object.')
  if (!isAbsent(extensions) && !isObject(extensions)) throw invalid('"extensions" must be an object.')
  return {
    query,
    variables: isObject(variables) ? variables : {},
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(detail: string): AppError {
  return new AppError('PARAMETER_INVALID', { detail })
}
