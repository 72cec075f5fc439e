/**
 * The HTTP server that every service of the program uses: one reading of the path, request ids, JSON
 * bodies, problem documents for every error, and headers that close what browsers leave open.
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
import {
  type AnswerHeaders,
  answerEarly,
  answerWithoutRequest,
  commonHeaders,
  type EarlyAnswerParts,
} from './early-answer.ts'
import { isEnded } from './end-connection.ts'
import { isHealthPath } from './health-routes.ts'
import { readJsonBody } from './json-body.ts'
import { defaultMaxConnections } from './max-connections.ts'
import { problemMediaType, problemOf } from './problem.ts'
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
    /**
     * Takes no more connections, and ends each one after its answer. A connection without a request is closed when none
     * has come for a while, which is longer after a longer delay: a request that is on its way is answered. Done when all
     * are closed. `close` is quicker.
     */
    endConnections(delayedMs: number): Promise<void>
  }
}

export interface HttpServerOptions {
  /** The most bytes that a body may have; routes may take fewer. */
  readonly bodyLimitBytes: number
  /** Network addresses and ranges whose `X-Forwarded-For` says who the client is. */
  readonly trustedProxies?: readonly string[]
  /** How long clients may take, where it is not what is usual. */
  readonly timeouts?: Partial<ClientTimeouts>
  /** How many connections are served at the same time; without it as many as the process can open. */
  readonly maxConnections?: number
  readonly observe: Observer
  /** Username of who made a request, where that is known. */
  readonly accountOf?: (request: FastifyRequest) => string | undefined
  /** What a request was for, in few words for all; without it, the path of the route that took it. */
  readonly routeOf?: (request: FastifyRequest) => string | undefined
  /** Headers of the answer to a request, as they are when it is sent. */
  readonly answerHeaders?: (request: FastifyRequest) => AnswerHeaders
  /** Says which error of the catalogue an error from a layer below the service is; undefined when it is none. */
  readonly translateError?: (error: Error) => AppError | undefined
}

/** Enough for every form, and for whatever nobody reads. */
export const shortBodyBytes = 16_384

const usualTimeouts: ClientTimeouts = { head: 10_000, body: 30_000, answer: 30_000, keepAlive: 65_000 }

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
  const { bodyLimitBytes, trustedProxies = [], maxConnections = defaultMaxConnections() } = options
  const { observe, accountOf, routeOf, translateError, answerHeaders = noHeaders } = options
  const timeouts = { ...usualTimeouts, ...options.timeouts }
  const connections = new ClientConnections({ timeouts, maxConnections, refuseBody: refuseSlowBody })
  const early: EarlyAnswerParts = { observe }
  const server = fastify({
    // Where there is no route; routes say their own.
    bodyLimit: Math.min(shortBodyBytes, bodyLimitBytes),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: true, maxParamLength: 2048 },
    schemaController: { compilersFactory: noSchemas },
    forceCloseConnections: false,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, connections, early),
    serverFactory: (handler) => listenFor(handler, timeouts, connections, early),
  })
  server.decorate('endConnections', (delayedMs: number) => connections.endQuietly(delayedMs))
  server.addHook('preClose', (done) => {
    // The framework waits for them as well.
    void connections.end()
    done()
  })
  server.decorate('bodyLimitBytes', bodyLimitBytes)
  server.decorateRequest('path', '')
  // Hooks that wait for nothing take `done`: a promise for each would be a good part of what a short request costs.
  server.addHook('onRequest', (request, reply, done) => {
    request.path = pathOf(request.raw)
    reply.headers(commonHeaders(request.id))
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    // A connection that was handed over together with its request is not read on.
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
  // Of every answer: without a promise it costs next to nothing.
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(answerHeaders(request))
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

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A server that hands every request over in the same way, those that ask something of the connection too. */
function listenFor(
  handler: Listener,
  timeouts: ClientTimeouts,
  connections: ClientConnections,
  early: EarlyAnswerParts,
): Server {
  const options = {
    headersTimeout: timeouts.head,
    keepAliveTimeout: timeouts.keepAlive,
    // How long a whole request may take depends on who reads it: a body may be forwarded as it comes.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(timeouts.head / 5),
    // It is required here, with an answer like all others.
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
    const detail = 'The only expectation that is understood is 100-continue.'
    answerEarly(request, response, new AppError('EXPECTATION_FAILED', { detail }), early)
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

/** A body that is read here has to arrive in time. */
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
  // Many clients name a media type with every request, also with a DELETE that has no body.
  return method === 'DELETE' && body.length === 0 ? undefined : readJsonBody(body)
}

/** The head is read before the router sees the request: what cannot be read in one way only goes no further. */
function admit(
  request: ReadRequest,
  response: ServerResponse,
  handler: Listener,
  connections: ClientConnections,
  early: EarlyAnswerParts,
): void {
  const mistake = mistakeInHead(request)
  if (mistake !== undefined) {
    answerEarly(request, response, new AppError('REQUEST_UNREADABLE', { detail: mistake }), early)
    return
  }
  const target = readRequestTarget(request.url ?? '/')
  if ('refused' in target) {
    const error = new AppError('REQUEST_TARGET_REFUSED', { detail: target.refused })
    answerEarly(request, response, error, early)
    return
  }
  if (connections.isBeyondLimit(request) && !isHealthPath(target.path)) {
    const detail = 'There are too many connections. The setting max_connections says how many are served.'
    const error = new AppError('TOO_BUSY', { detail, headers: { 'retry-after': '1' } })
    answerEarly(request, response, error, early, target.path)
    return
  }
  request[pathRead] = target.path
  request.url = target.encodedPath + target.query
  handler(request, response)
}

const none: AnswerHeaders = {}
const noHeaders = () => none

/** Something that Node's HTTP parser gave up on: there is no request to answer, only a connection. */
function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: ClientConnections,
  early: EarlyAnswerParts,
): void {
  // It was answered; what else comes is of no interest.
  if (isEnded(socket)) return
  const response = connections.responseOn(socket)
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
    socket.destroy()
    return
  }
  if (response?.req.complete === true) {
    // The request before is still being answered; it is the last one.
    response.shouldKeepAlive = false
    return
  }
  answerWithoutRequest(socket, new AppError(codeOfUnreadable(error)), early)
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

/** Sends an error of the catalogue; the only place that does, but for requests that never became one. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return (
    reply
      .status(error.kind.status)
      .headers(error.headers)
      .type(problemMediaType)
      // As text it would get a "charset", which the media type does not have.
      .send(Buffer.from(JSON.stringify(problemOf(error, request.id, traceIdOf(request.headers.traceparent)))))
  )
}

function tooLargeDetail(limit: number, setting: number): string {
  const most = `A body has at most ${limit} bytes here.`
  return limit < setting ? most : `${most} Send less at a time, or have the setting body_limit raised.`
}

/** What the catalogue calls an error that is ours already or comes from the framework. */
function frameworkErrorOf(error: Error, { routeOptions, server }: FastifyRequest): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as FastifyError
  // The client has gone before it has sent all of its body.
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
        detail: 'The body is not as long as its Content-Length says.',
      })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('NOT_FOUND')
    default:
      return undefined
  }
}
