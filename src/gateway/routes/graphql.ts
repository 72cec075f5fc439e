/**
 * `/graphql`: the schema as text, and operations by the GraphQL-over-HTTP specification
 * (https://graphql.github.io/graphql-over-http/draft/). A browser gets GraphiQL.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { carriesToken } from '../../access/authentication/authenticate.ts'
import { appErrorOf } from '../../database/app-error-of.ts'
import type { Database } from '../../database/dialect.ts'
import { AppError } from '../../errors/app-error.ts'
import { executeGraphql, type GraphqlResponse } from '../../graphql/execute-graphql.ts'
import { explainGraphql } from '../../graphql/explain-graphql.ts'
import type { GraphqlRequest } from '../../graphql/graphql-request.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import type { StoredDocuments } from '../../graphql/stored-documents.ts'
import { preferredMediaType } from '../../http/accept.ts'
import { clientOf } from '../../http/client-gone.ts'
import { sendBytes, sendPieces } from '../../http/compressed.ts'
import { sentenceOf } from '../../http/problem.ts'
import type { Route } from '../../http/routes.ts'
import { upgradeOf } from '../../http/upgrade.ts'
import type { Observer } from '../../observe/events.ts'
import { ByteWriterPool } from '../../util/byte-writer-pool.ts'
import type { BundledPage } from '../bundled-page.ts'
import { type FollowedSchema, onCurrentSchema } from '../on-current-schema.ts'
import type { CallerView, RecordAccess } from '../rights/record-access.ts'
import { pageFileRoutes, prefersPage, sendPage } from './bundled-pages.ts'
import { clientNameOf } from './client-name.ts'
import { type GraphqlWritingParts, writingFor } from './graphql-writing.ts'
import { isRequest, requestInBody, requestInQuery } from './read-graphql-request.ts'

/** Which GraphQL requests are taken, and what they may learn. */
export interface GraphqlRequestSettings {
  /** How many requests a batch may have. */
  readonly maxBatch: number
  /** Documents that requests may name; absent if there are none. */
  readonly documents?: StoredDocuments
  /** Whether only those who may `GET /manage/schema` may send other documents. */
  readonly onlyStored: boolean
  /** Whether only those who may `GET /manage/schema` see the schema. */
  readonly hidesSchema: boolean
}

const requestDefaults: GraphqlRequestSettings = { maxBatch: 10, onlyStored: false, hidesSchema: false }

export interface GraphqlRouteParts extends Omit<GraphqlWritingParts, 'recordAccess'> {
  readonly database: Database
  readonly snapshot: () => SchemaSnapshot
  readonly recordAccess: Pick<RecordAccess, 'viewFor' | 'allowedFor'>
  /** Resolves when a snapshot is current that was read after this call. */
  readonly schema: FollowedSchema
  readonly observe: Observer
  /** Those that are absent have their defaults. */
  readonly requests?: Partial<GraphqlRequestSettings> | undefined
  /** How long a request may take in all; in a batch, each of them. */
  readonly timeLimitMs: number
  /** Shorter responses are not compressed. */
  readonly compressFromBytes: number
  /** Whether who sent a request may also make another call. */
  readonly mayCall: (request: FastifyRequest, method: string, path: string) => Promise<boolean>
  /** Whether anyone may post to `/graphql`, if only for some entities. */
  readonly isPublic: () => Promise<boolean>
  /** The page for browsers; absent if they get the same as any client. */
  readonly page?: BundledPage
}

const responseMediaType = 'application/graphql-response+json'
const responseMediaTypes = [responseMediaType, 'application/json'] as const

export function graphqlRoutes({ requests, ...given }: GraphqlRouteParts): readonly Route[] {
  const parts = { ...given, ...requestDefaults, ...requests, writers: new ByteWriterPool() }
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
          if (upgradeOf(request.raw) !== undefined) throw webSocketRefused()
          reply.header('vary', 'accept')
          if (page !== undefined && wantsPage(request)) return sendPage(reply, page, await isPublic())
          const query = request.query as Record<string, unknown>
          if (!isRequest(query)) return sendSchema(request, reply, parts)
          return respond(request, reply, () => requestInQuery(query, parts.documents), parts)
        },
        POST: async (request, reply) =>
          Array.isArray(request.body)
            ? respondToBatch(request, reply, request.body, parts)
            : respond(request, reply, () => requestInBody(request.body, parts.documents), parts),
      },
    },
    ...(page === undefined ? [] : pageFileRoutes('graphiql', page)),
  ]
}

/** The part of the schema that the caller may see. */
function viewFor(request: FastifyRequest, { recordAccess }: RespondingParts): Promise<CallerView> {
  return recordAccess.viewFor(request, request.method, request.onlyParts)
}

/** Whether a request for `/graphql` comes from a browser that opens the address: it asks for HTML and is no request. */
function wantsPage(request: FastifyRequest): boolean {
  return prefersPage(request) && !isRequest(request.query as Record<string, unknown>)
}

async function sendSchema(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RespondingParts,
): Promise<FastifyReply> {
  if (await isSchemaHidden(request, parts)) throw new AppError('INTROSPECTION_DISABLED')
  const {
    view: { sdlInJson },
  } = await viewFor(request, parts)
  return sendBytes(reply.type('application/json; charset=utf-8'), await sdlInJson, parts.compressFromBytes)
}

function isSchemaHidden(
  request: FastifyRequest,
  { hidesSchema, mayCall }: RespondingParts,
): Promise<boolean> | false {
  return hidesSchema && mayCall(request, 'GET', '/manage/schema').then((isAllowed) => !isAllowed)
}

/** Whether a response is to tell how the database has worked for it. */
function wantsExplanation({ headers }: FastifyRequest): boolean {
  return headers['x-gatehouse-explain'] === 'true'
}

/** Throws PERSISTED_QUERY_REQUIRED for a document that the caller may not send, and EXPLAIN_NOT_ALLOWED. */
async function assertMaySend(
  { query }: GraphqlRequest,
  request: FastifyRequest,
  { onlyStored, documents, mayCall }: RespondingParts,
): Promise<void> {
  const isStored = !onlyStored || documents?.holds(query) === true
  if (!isStored && !(await mayCall(request, 'GET', '/manage/schema')))
    throw new AppError('PERSISTED_QUERY_REQUIRED')
  if (wantsExplanation(request) && !(await mayCall(request, 'GET', '/manage/explain')))
    throw new AppError('EXPLAIN_NOT_ALLOWED')
}

interface RespondingParts extends Omit<GraphqlRouteParts, 'requests'>, GraphqlRequestSettings {
  readonly writers: ByteWriterPool
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => GraphqlRequest,
  parts: RespondingParts,
): Promise<FastifyReply> {
  const { compressFromBytes } = parts
  const mediaType = setMediaType(request, reply)
  let graphqlRequest: GraphqlRequest
  try {
    graphqlRequest = read()
    await assertMaySend(graphqlRequest, request, parts)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return reply.status(error.kind.status).send(errorText(error))
  }
  const response = await execute(graphqlRequest, request, reply, parts)
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

/** Each entry is a request of its own, with its own response at the same place of a list; they run one after the other. */
async function respondToBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  entries: readonly unknown[],
  parts: RespondingParts,
): Promise<FastifyReply> {
  const { maxBatch, observe } = parts
  setMediaType(request, reply)
  if (entries.length === 0 || entries.length > maxBatch) {
    const detail = `A batch has from 1 to ${maxBatch} requests (graphql_max_batch), and this one has ${entries.length}.`
    return reply.status(400).send(errorText(new AppError('PARAMETER_INVALID', { detail })))
  }
  const answerOf = async (entry: unknown): Promise<GraphqlResponse> => {
    try {
      const graphqlRequest = requestInBody(entry, parts.documents)
      await assertMaySend(graphqlRequest, request, parts)
      return await execute(graphqlRequest, request, reply, parts)
    } catch (error) {
      const known = error instanceof AppError ? error : appErrorOf(error)
      if (known === undefined || known.cause !== undefined)
        observe({ kind: 'RequestFailed', requestId: request.id, error })
      const told = known ?? new AppError('INTERNAL')
      return { kind: 'refused', isNoQuery: false, text: errorText(told, request.id) }
    }
  }
  return sendPieces(reply, batchPieces(entries, answerOf))
}

async function* batchPieces(
  entries: readonly unknown[],
  answerOf: (entry: unknown) => Promise<GraphqlResponse>,
): AsyncGenerator<Buffer> {
  for (const [index, entry] of entries.entries()) {
    yield Buffer.from(index === 0 ? '[' : ',')
    const answer = await answerOf(entry)
    if (answer.kind === 'whole') yield answer.whole
    else if (answer.kind === 'refused') yield Buffer.from(answer.text)
    else yield* answer.pieces
  }
  yield Buffer.from(']')
}

/** Throws NOT_ACCEPTABLE. */
function setMediaType(request: FastifyRequest, reply: FastifyReply): string {
  const mediaType = preferredMediaType(
    request.headers.accept ?? 'application/json',
    responseMediaTypes,
    'application/json',
  )
  if (mediaType === undefined) {
    throw new AppError('NOT_ACCEPTABLE', { detail: `Accept ${responseMediaTypes.join(' or ')}.` })
  }
  reply.type(`${mediaType}; charset=utf-8`)
  return mediaType
}

function execute(
  graphqlRequest: GraphqlRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RespondingParts,
): Promise<GraphqlResponse> {
  const { database, observe, timeLimitMs, writers } = parts
  const cancellation = clientOf(reply, clientNameOf(request), causeOf(graphqlRequest))
  // However often it starts again.
  const end = performance.now() + timeLimitMs
  return onCurrentSchema(
    parts.schema,
    async (isLast) => {
      const { view, ruleVariables } = await viewFor(request, parts)
      const hidesSchema = await isSchemaHidden(request, parts)
      const onlyReads = request.method !== 'POST'
      const asked = { ...graphqlRequest, hidesSchema, onlyReads, ...(ruleVariables && { ruleVariables }) }
      const run = wantsExplanation(request) ? explainGraphql : executeGraphql
      return run(asked, view, database, {
        writing: () => writingFor(graphqlRequest, request, reply, parts),
        cancellation,
        timeLimitMs: end - performance.now(),
        requestId: request.id,
        onFailure: (error) => observe({ kind: 'RequestFailed', requestId: request.id, error }),
        beginsAgain: !isLast,
        writers,
      })
    },
    { toldByWork: true },
  )
}

/** The id of the request is told with errors that are not the client's. */
function errorText(error: AppError, requestId?: string): string {
  const { code, kind } = error
  const extensions = kind.status < 500 ? { code } : { code, requestId }
  return JSON.stringify({ errors: [{ message: sentenceOf(error), extensions }] })
}

/** https://www.rfc-editor.org/rfc/rfc9110#status.426 */
function webSocketRefused(): AppError {
  return new AppError('WEBSOCKET_NOT_SUPPORTED', { headers: { upgrade: 'HTTP/1.1' } })
}

/** The operation as people who look at slow statements know it. */
function causeOf({ query, operationName }: GraphqlRequest): string {
  const [, name = ''] = operationName === undefined ? (namedOperation.exec(query) ?? []) : ['', operationName]
  return name === '' ? 'GraphQL' : `GraphQL ${name.slice(0, 100)}`
}

/** A document that begins with an operation that has a name. */
const namedOperation = /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/
