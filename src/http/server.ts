/**
 * The HTTP server that every service of the program uses: one reading of the path, request ids, JSON bodies, problem
 * documents for every error, and security headers.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/errors.ts'
import type { Observer } from '../observe/events.ts'
import { ClientConnections, type ClientTimeouts } from './client-connections.ts'
import { awaitsContinue, markAsWaiting, sendContinue } from './continue.ts'
import { type CrossOrigin, withVary } from './cross-origin.ts'
import {
  commonHeaders,
  type EarlyResponseParts,
  type ResponseHeaders,
  respondEarly,
  respondWithoutRequest,
} from './early-response.ts'
import { isEnded } from './end-connection.ts'
import { errorResponse, tryAgainOr, type WayOn } from './error-response.ts'
import { isHealthPath } from './health-path.ts'
import { readJsonBody } from './json-body.ts'
import { defaultMaxConnections } from './max-connections.ts'
import { mistakeInHead } from './request-head.ts'
import { readRequestTarget } from './request-target.ts'
import { discardRest } from './rest-of-request.ts'
import { traceIdOf } from './trace-id.ts'
import { asksForWebSocket, responseToUpgrade } from './upgrade.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The decoded path, as it is authorized and routed. */
    path: string
  }
  interface FastifyInstance {
    /** The most bytes that a body may have, whatever the route. */
    bodyLimitBytes: number
    /** Where people can go from the page of an error. */
    wayOn: WayOn
    /**
     * Accepts no more connections, and closes each one after its response. An idle connection is closed after some time
     * without a request, longer after a longer delay, so that a request on its way is served. Resolves when all are
     * closed. `close` is faster.
     */
    endConnections(delayedMs: number): Promise<void>
  }
}

export interface HttpServerOptions {
  /** The most bytes that a body may have; routes may take fewer. */
  readonly bodyLimitBytes: number
  /** Network addresses and ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Time-outs for clients, if not the default ones. */
  readonly timeouts?: Partial<ClientTimeouts>
  /** How many connections are served at the same time; the default depends on the limit of open files. */
  readonly maxConnections?: number
  readonly observe: Observer
  /** Where people can go from the page of an error; without it, only to the same address again. */
  readonly wayOn?: WayOn
  /** What pages of other origins may do; absent for nothing. */
  readonly crossOrigin?: CrossOrigin | undefined
  /** Username of the caller of a request, if known. */
  readonly accountOf?: (request: FastifyRequest) => string | undefined
  /** The name of a request's route, of which there are few; by default the path of the route. */
  readonly routeOf?: (request: FastifyRequest) => string | undefined
  /** Whether a path, in canonical percent-encoding, may hold encoded slashes; by default none may. */
  readonly mayHoldSlashes?: (encodedPath: string) => boolean
  /** Headers to add to the response when it is sent. */
  readonly responseHeaders?: (request: FastifyRequest) => ResponseHeaders
  /** The error of the catalogue for an error from a lower layer; undefined if there is none. */
  readonly translateError?: (error: Error) => AppError | undefined
}

/** Enough for every form, and for bodies that are not used. */
export const shortBodyBytes = 16_384

const usualTimeouts: ClientTimeouts = { head: 10_000, body: 30_000, answer: 30_000, keepAlive: 65_000 }

function noCompiler(): never {
  throw new Error('Invariant broken: a route has a schema that Fastify would check.')
}

/** Routes validate their input themselves; Fastify's libraries for that take long to load. */
const noSchemas = { buildValidator: noCompiler, buildSerializer: noCompiler }

const pathRead = Symbol('path')

/** A request whose path was read. */
type ReadRequest = IncomingMessage & { [pathRead]?: string }

function pathOf(request: ReadRequest): string {
  return request[pathRead] ?? '/'
}

/** A server without routes. Add them with `addRoutes`, so that a wrong method gets 405. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { bodyLimitBytes, trustedProxies = [], maxConnections = defaultMaxConnections() } = options
  const { observe, accountOf, routeOf, translateError, responseHeaders = noHeaders, crossOrigin } = options
  const { wayOn = tryAgainOr(undefined) } = options
  const timeouts = { ...usualTimeouts, ...options.timeouts }
  const connections = new ClientConnections({ timeouts, maxConnections, refuseBody: refuseSlowBody })
  const { mayHoldSlashes } = options
  const early: AdmitParts = {
    ...{ observe, wayOn, crossOrigin },
    ...(mayHoldSlashes === undefined ? {} : { mayHoldSlashes }),
  }
  const server = fastify({
    // Without a route; routes set their own.
    bodyLimit: Math.min(shortBodyBytes, bodyLimitBytes),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: true, maxParamLength: 2048 },
    schemaController: { compilersFactory: noSchemas },
    forceCloseConnections: false,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => respondUnreadable(error, socket, connections, early),
    serverFactory: (handler) => listenFor(handler, timeouts, connections, early),
  })
  server.decorate('endConnections', (delayedMs: number) => connections.endQuietly(delayedMs))
  server.addHook('preClose', (done) => {
    // The framework also waits for the connections.
    void connections.end()
    done()
  })
  server.decorate('bodyLimitBytes', bodyLimitBytes)
  server.decorate('wayOn', wayOn)
  server.decorateRequest('path', '')
  // Synchronous hooks take `done`: a promise for each would be a large part of the cost of a short request.
  server.addHook('onRequest', (request, reply, done) => {
    request.path = pathOf(request.raw)
    reply.headers(commonHeaders(request.id))
    const permission = crossOrigin?.preflight(request.method, request.path, request.headers)
    if (permission === undefined) return done()
    void reply.status(204).headers(permission).send()
  })
  server.addHook('onResponse', (request, reply, done) => {
    // A connection that was handed over with its request is not read further.
    if (connections.ended(request.raw)) discardRest(request.raw)
    const account = accountOf?.(request)
    const traceId = traceIdOf(request.headers.traceparent)
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
      ...(traceId === undefined ? {} : { traceId }),
    })
    done()
  })
  server.addHook('preParsing', (request, reply, _payload, done) => {
    connections.awaitBody(request.raw, reply)
    sendContinue(request.raw, reply.raw)
    done()
  })
  // For every response: without a promise it costs almost nothing.
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(responseHeaders(request))
    if (crossOrigin !== undefined) {
      const { vary, ...permission } = crossOrigin.headersFor(request.headers.origin, request.path)
      reply.headers(permission).header('vary', withVary(reply.getHeader('vary'), vary))
    }
    if (awaitsContinue(request.raw)) reply.header('connection', 'close')
    done()
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    readBody,
  )
  server.setErrorHandler((error: Error, request, reply) => {
    const appError =
      frameworkErrorOf(error, request) ??
      translateError?.(error) ??
      new AppError('INTERNAL', { cause: error })
    if (appError.kind.status >= 500 && appError.cause !== undefined) {
      const traceId = traceIdOf(request.headers.traceparent)
      const failed = { kind: 'RequestFailed', requestId: request.id, error } as const
      observe(traceId === undefined ? failed : { ...failed, traceId })
    }
    return sendError(appError, request, reply)
  })
  return server
}

/** What requests are read with before the framework sees them. */
interface AdmitParts extends EarlyResponseParts, Pick<HttpServerOptions, 'mayHoldSlashes'> {}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A server that handles all requests in the same way, including upgrades and `Expect`. */
function listenFor(
  handler: Listener,
  timeouts: ClientTimeouts,
  connections: ClientConnections,
  early: AdmitParts,
): Server {
  const options = {
    headersTimeout: timeouts.head,
    keepAliveTimeout: timeouts.keepAlive,
    // The time limit of a whole request depends on its reader: a forwarded body has another one.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(timeouts.head / 5),
    // The host is required below, with a problem document.
    requireHostHeader: false,
    shouldUpgradeCallback: asksForWebSocket,
  }
  const listen: Listener = (request, response) => {
    connections.begun(request, response)
    admit(request, response, handler, connections, early)
  }
  const server = createServer(options, listen)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    markAsWaiting(request)
    listen(request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.begun(request, response)
    const detail = 'The only supported expectation is 100-continue.'
    respondEarly(request, response, new AppError('EXPECTATION_FAILED', { detail }), early)
  })
  const listenOnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = responseToUpgrade(request, socket, head)
    connections.begunOnUpgrade(request, response)
    admit(request, response, handler, connections, early)
  }
  server.on('upgrade', listenOnUpgrade)
  server.on('connect', listenOnUpgrade)
  connections.watch(server)
  return server
}

/** A body that is read here must arrive in time. */
function refuseSlowBody(reply: FastifyReply): void {
  if (reply.sent) return
  void sendError(new AppError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }), reply.request, reply)
}

async function readBody({ method, headers, routeOptions }: FastifyRequest, body: Buffer): Promise<unknown> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', {
      detail: `Send the body as it is, without the coding "${encoding}".`,
    })
  }
  if (routeOptions.config.body === 'bytes') return body
  // Many clients send a media type with every request, even with a DELETE without a body.
  const mayBeEmpty = method === 'DELETE' || routeOptions.config.body === 'unused'
  return mayBeEmpty && body.length === 0 ? undefined : readJsonBody(body)
}

/** The head is read before the router sees the request: ambiguous ones are refused. */
function admit(
  request: ReadRequest,
  response: ServerResponse,
  handler: Listener,
  connections: ClientConnections,
  early: AdmitParts,
): void {
  const mistake = mistakeInHead(request)
  if (mistake !== undefined) {
    respondEarly(request, response, new AppError('REQUEST_UNREADABLE', { detail: mistake }), early)
    return
  }
  const target = readRequestTarget(request.url ?? '/', early.mayHoldSlashes)
  if ('refused' in target) {
    const error = new AppError('REQUEST_TARGET_REFUSED', { detail: target.refused })
    respondEarly(request, response, error, early)
    return
  }
  if (connections.isBeyondLimit(request) && !isHealthPath(target.path)) {
    const detail = 'There are too many connections (max_connections). Try again in a moment.'
    const error = new AppError('TOO_BUSY', { detail, headers: { 'retry-after': '1' } })
    respondEarly(request, response, error, early, target.path)
    return
  }
  request[pathRead] = target.path
  request.url = target.encodedPath + target.query
  handler(request, response)
}

const none: ResponseHeaders = {}
const noHeaders = () => none

/** What Node's HTTP parser reports, with what arrived last. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: unknown }

/** Node's HTTP parser failed: there is no request, only a connection. */
function respondUnreadable(
  error: ClientError,
  socket: Socket,
  connections: ClientConnections,
  early: EarlyResponseParts,
): void {
  // The response was sent; the rest is ignored.
  if (isEnded(socket)) return
  const response = connections.responseOn(socket)
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
    socket.destroy()
    return
  }
  if (response?.req.complete === true) {
    // The previous request is still running; it is the last one.
    response.shouldKeepAlive = false
    return
  }
  const { rawPacket } = error
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : undefined
  respondWithoutRequest(socket, new AppError(codeOfUnreadable(error)), early, packet)
}

function codeOfUnreadable({ code }: NodeJS.ErrnoException): ErrorCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'HEADERS_TOO_LARGE'
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'BODY_TOO_LARGE'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT'
    default:
      return 'REQUEST_UNREADABLE'
  }
}

/** Sends an error of the catalogue; the only place that does, except for requests that the framework does not see. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, raw, headers, id, server } = request
  const response = errorResponse(error, { method, target: raw.url, headers }, id, server.wayOn)
  return reply.status(error.kind.status).headers(response.headers).send(response.body)
}

function tooLargeDetail(limit: number, setting: number): string {
  const most = `A body may have at most ${limit} bytes here.`
  return limit < setting
    ? most
    : `${most} Send less at a time, or ask the operator for a higher limit (body_limit).`
}

/** The error of the catalogue for an own error or one of the framework. */
function frameworkErrorOf(error: Error, { routeOptions, server }: FastifyRequest): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as FastifyError
  // The client disconnected before it had sent the whole body.
  if (code === 'ECONNRESET' && statusCode === 400) return new AppError('BODY_UNREADABLE')
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('BODY_TOO_LARGE', {
        detail: tooLargeDetail(routeOptions.bodyLimit, server.bodyLimitBytes),
        headers: { connection: 'close' },
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new AppError('MEDIA_TYPE_UNSUPPORTED', { detail: 'Send the body as application/json.' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('BODY_UNREADABLE', {
        detail: 'The length of the body differs from its Content-Length.',
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('NOT_FOUND')
    default:
      return undefined
  }
}
