/**
 * The HTTP server that every service of the program uses: one reading of the path, request ids, JSON bodies, problem
 * documents for every error, and security headers.
 */
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import { ClientConnections, type ClientTimeouts } from './client-connections.ts'
import { awaitsContinue, sendContinue } from './continue.ts'
import { type CrossOrigin, withVary } from './cross-origin.ts'
import { commonHeaders, type ResponseHeaders } from './early-response.ts'
import { errorResponse, tryAgainOr, type WayOn } from './error-response.ts'
import { frameworkErrorOf } from './framework-error.ts'
import { defaultMaxConnections } from './max-connections.ts'
import { type AdmitParts, listenFor, pathOf, respondUnreadable } from './node-server.ts'
import { readBody } from './read-body.ts'
import { discardRest } from './rest-of-request.ts'
import { traceIdOf } from './trace-id.ts'

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

/** What options say of a server. */
export interface HttpServerSettings {
  /** The most bytes that a body may have; routes may take fewer. */
  readonly bodyLimitBytes: number
  /** Network addresses and ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Time-outs for clients, if not the default ones. */
  readonly timeouts?: Partial<ClientTimeouts>
  /** How many connections are served at the same time; the default depends on the limit of open files. */
  readonly maxConnections?: number
}

export interface HttpServerOptions extends HttpServerSettings, Pick<AdmitParts, 'mayHoldSlashes'> {
  readonly observe: Observer
  /** Where people can go from the page of an error; without it, only to the same address again. */
  readonly wayOn?: WayOn
  /** What pages of other origins may do; absent for nothing. */
  readonly crossOrigin?: CrossOrigin | undefined
  /** Username of the caller of a request, if known. */
  readonly accountOf?: (request: FastifyRequest) => string | undefined
  /** The name of a request's route, of which there are few; by default the path of the route. */
  readonly routeOf?: (request: FastifyRequest) => string | undefined
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

/** A body that is read here must arrive in time. */
function refuseSlowBody(reply: FastifyReply): void {
  if (reply.sent) return
  void sendError(new AppError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }), reply.request, reply)
}

const none: ResponseHeaders = {}
const noHeaders = () => none

/** Sends an error of the catalogue; the only place that does, except for requests that the framework does not see. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, raw, headers, id, server } = request
  const response = errorResponse(error, { method, target: raw.url, headers }, id, server.wayOn)
  return reply.status(error.kind.status).headers(response.headers).send(response.body)
}
