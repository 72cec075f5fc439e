/**
 * The HTTP server that every service of the program uses: one reading of the path, request ids, JSON
 * bodies, problem documents for every error, and headers that close what browsers leave open.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import { awaitsContinue, markAsWaiting, sendContinue } from './continue.ts'
import { parseJsonBody } from './json-body.ts'
import { problemMediaType, problemOf } from './problem.ts'
import { readRequestTarget } from './request-target.ts'
import { discardRest } from './rest-of-request.ts'
import { type Patience, SlowClients } from './slow-clients.ts'
import { asksForWebSocket, responseToUpgrade } from './upgrade.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The decoded path, as it is authorized and routed. */
    path: string
  }
}

export interface HttpServerOptions {
  readonly bodyLimitBytes: number
  /** Network addresses and ranges whose `X-Forwarded-For` says who the client is. */
  readonly trustedProxies?: readonly string[]
  /** How long clients may take, in milliseconds, where they may not take what is usual. */
  readonly patience?: Patience
  readonly observe: Observer
  /** Username of who made a request, where that is known. */
  readonly accountOf?: (request: FastifyRequest) => string | undefined
  /** What a request was for, in few words for all; without it, the path of the route that took it. */
  readonly routeOf?: (request: FastifyRequest) => string | undefined
  /** Headers of every answer, as they are when it is sent. */
  readonly answerHeaders?: () => AnswerHeaders
  /** Says which error of the catalogue an error from a layer below the service is; undefined when it is none. */
  readonly translateError?: (error: Error) => AppError | undefined
}

export type AnswerHeaders = Readonly<Record<string, string>>

const usualPatience: Patience = { head: 10_000, body: 30_000, answer: 30_000 }

function noCompiler(): never {
  throw new Error('Invariant broken: a route has a schema that Fastify would check.')
}

/** Routes check what they get by themselves; the libraries that Fastify would do it with take long to load. */
const noSchemas = { buildValidator: noCompiler, buildSerializer: noCompiler }

const pathRead = Symbol('path')

/** A request whose path was read. */
type ReadRequest = IncomingMessage & { [pathRead]?: string }

function pathOf(request: ReadRequest): string {
  return request[pathRead] ?? '/'
}

/** A server without routes. Add them with `addRoute`, so that a wrong method is answered with what is right. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { bodyLimitBytes, trustedProxies = [], patience = usualPatience } = options
  const { observe, accountOf, routeOf, translateError, answerHeaders = noHeaders } = options
  const slowClients = new SlowClients(patience, refuseSlowBody)
  const server = fastify({
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: true, maxParamLength: 2048 },
    schemaController: { compilersFactory: noSchemas },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerUnreadableRequest(error, socket, answerHeaders()),
    serverFactory: (handler) =>
      listenFor(
        (request, response) => admit(request, response, handler, { observe, answerHeaders }),
        patience,
        slowClients,
      ),
  })
  server.decorateRequest('path', '')
  // Hooks that wait for nothing take `done`: a promise for each would be a good part of what a short request costs.
  server.addHook('onRequest', (request, reply, done) => {
    request.path = pathOf(request.raw)
    reply.headers(commonHeaders(request.id))
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    // A connection that was handed over together with its request is not read on.
    if (slowClients.ended(request.raw)) discardRest(request.raw)
    const account = accountOf?.(request)
    const route = routeOf?.(request) ?? request.routeOptions.url
    observe({
      kind: 'RequestHandled',
      requestId: request.id,
      method: request.method,
      path: request.path,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      ...(route === undefined ? {} : { route }),
      ...(account === undefined ? {} : { account }),
    })
    done()
  })
  server.addHook('preParsing', (request, reply, _payload, done) => {
    slowClients.awaitBody(request.raw, reply)
    sendContinue(request.raw, reply.raw)
    done()
  })
  // Of every answer: without a promise it costs next to nothing.
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(answerHeaders())
    if (awaitsContinue(request.raw)) reply.header('connection', 'close')
    done()
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => readBody(request, body),
  )
  server.setErrorHandler((error: Error, request, reply) => {
    const appError =
      frameworkErrorOf(error) ?? translateError?.(error) ?? new AppError('INTERNAL', { cause: error })
    if (appError.kind.status >= 500 && appError.cause !== undefined)
      observe({ kind: 'RequestFailed', requestId: request.id, error })
    return sendError(appError, request, reply)
  })
  return server
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A server that hands every request over in the same way, those that ask something of the connection too. */
function listenFor(listener: Listener, patience: Patience, slowClients: SlowClients): Server {
  // How long a whole request may take depends on who reads it: a body may be forwarded as it comes.
  const timeouts = {
    headersTimeout: patience.head,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(patience.head / 5),
  }
  const listen: Listener = (request, response) => {
    slowClients.begun(request, response)
    listener(request, response)
  }
  const server = createServer({ ...timeouts, shouldUpgradeCallback: asksForWebSocket }, listen)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    markAsWaiting(request)
    listen(request, response)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = responseToUpgrade(request, socket, head)
    if (response !== undefined) listener(request, response)
  })
  slowClients.watch(server)
  return server
}

/** A body that is read here has to arrive in time. */
function refuseSlowBody(reply: FastifyReply): void {
  if (reply.sent) return
  void sendError(new AppError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }), reply.request, reply)
}

function readBody({ method, headers, routeOptions }: FastifyRequest, body: Buffer): unknown {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', {
      detail: `Send the body as it is, without the coding "${encoding}".`,
    })
  }
  if (routeOptions.config.body === 'bytes') return body
  // Many clients name a media type with every request, also with a DELETE that has no body.
  return method === 'DELETE' && body.length === 0 ? undefined : parseJsonBody(body)
}

/** The path is read before the router sees the request: what cannot be read in one way only goes no further. */
function admit(
  request: ReadRequest,
  response: ServerResponse,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { observe, answerHeaders }: Required<Pick<HttpServerOptions, 'observe' | 'answerHeaders'>>,
): void {
  const target = readRequestTarget(request.url ?? '/')
  if (!('refused' in target)) {
    request[pathRead] = target.path
    request.url = target.encodedPath + target.query
    handler(request, response)
    return
  }
  response.once('finish', () => discardRest(request))
  const requestId = randomUUID()
  const problem = problemOf(new AppError('REQUEST_TARGET_REFUSED', { detail: target.refused }), requestId)
  response.writeHead(400, {
    ...commonHeaders(requestId),
    ...answerHeaders(),
    'content-type': problemMediaType,
    connection: 'close',
  })
  response.end(JSON.stringify(problem))
  observe({
    kind: 'RequestHandled',
    requestId,
    method: request.method ?? '',
    path: '',
    status: 400,
    milliseconds: 0,
  })
}

const none: AnswerHeaders = {}
const noHeaders = () => none

function commonHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

/** A request that Node's HTTP parser gave up on: there is no request to answer, only a socket. */
function answerUnreadableRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  answerHeaders: AnswerHeaders,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'REQUEST_TARGET_REFUSED'
  const appError = new AppError(code)
  const requestId = randomUUID()
  const body = JSON.stringify(problemOf(appError, requestId))
  const headers = {
    ...commonHeaders(requestId),
    ...answerHeaders,
    'content-type': problemMediaType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${appError.kind.status} ${STATUS_CODES[appError.kind.status]}\r\n${lines.join('')}\r\n${body}`,
  )
}

/** Sends an error of the catalogue; the only place that does, but for requests that never became one. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .status(error.kind.status)
    .headers(error.headers)
    .type(problemMediaType)
    .send(JSON.stringify(problemOf(error, request.id)))
}

/** What the catalogue calls an error that is ours already or comes from the framework. */
function frameworkErrorOf(error: Error): AppError | undefined {
  if (error instanceof AppError) return error
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('BODY_TOO_LARGE', {
        detail: 'Send less at a time, or have the setting body_limit raised.',
        headers: { connection: 'close' },
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new AppError('MEDIA_TYPE_UNSUPPORTED', { detail: 'Send the body as application/json.' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('BODY_UNREADABLE', {
        detail: 'The body is not as long as its Content-Length says.',
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('NOT_FOUND')
    default:
      return undefined
  }
}
