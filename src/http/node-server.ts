/** The server of Node.js below the framework: it reads and refuses requests before the framework sees them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/errors.ts'
import type { ClientConnections, ClientTimeouts } from './client-connections.ts'
import { markAsWaiting } from './continue.ts'
import { type EarlyResponseParts, respondEarly, respondWithoutRequest } from './early-response.ts'
import { isEnded } from './end-connection.ts'
import { isHealthPath } from './health-path.ts'
import { mistakeInHead } from './request-head.ts'
import { readRequestTarget } from './request-target.ts'
import { asksForWebSocket, responseToUpgrade } from './upgrade.ts'

const pathRead = Symbol('path')

/** A request whose path was read. */
type ReadRequest = IncomingMessage & { [pathRead]?: string }

/** The decoded path of a request, as `admit` read it. */
export function pathOf(request: ReadRequest): string {
  return request[pathRead] ?? '/'
}

/** What requests are read with before the framework sees them. */
export interface AdmitParts extends EarlyResponseParts {
  /** Whether a path, in canonical percent-encoding, may hold encoded slashes; by default none may. */
  readonly mayHoldSlashes?: (encodedPath: string) => boolean
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A server that handles all requests in the same way, including upgrades and `Expect`. */
export function listenFor(
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

/** What Node's HTTP parser reports, with what arrived last. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: unknown }

/** Node's HTTP parser failed: there is no request, only a connection. */
export function respondUnreadable(
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
