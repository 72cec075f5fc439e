/** Responses to requests that the framework does not see: problem documents like all others, and a log line. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { endConnection } from './end-connection.ts'
import { errorResponse, type FailedRequest, type WayOn } from './error-response.ts'
import { discardRest } from './rest-of-request.ts'
import { traceIdOf } from './trace-id.ts'

export type ResponseHeaders = Readonly<Record<string, string>>

/** What early responses need of the server. */
export interface EarlyResponseParts {
  readonly observe: Observer
  /** Where people can go from the page of an error. */
  readonly wayOn: WayOn
  readonly crossOrigin: CrossOrigin | undefined
}

/** The headers of all responses that are made here. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

/** Responds to a request with an error, and closes its connection. `path` is its decoded path, if that could be read. */
export function respondEarly(
  request: IncomingMessage,
  response: ServerResponse,
  error: AppError,
  parts: EarlyResponseParts,
  path = '',
): void {
  response.once('finish', () => discardRest(request))
  const { method = '', headers: requestHeaders } = request
  const traceId = traceIdOf(requestHeaders.traceparent)
  const failed = { method, target: path === '' ? undefined : request.url, headers: requestHeaders }
  const { headers, body, requestId } = responseOf(error, failed, parts)
  response.writeHead(error.kind.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  observeResponse(parts, error, requestId, { method, path, traceId })
}

/**
 * Sends an error on a connection on which no request could be read, and closes it. `packet` is what arrived of one: it may
 * say from which origin.
 */
export function respondWithoutRequest(
  socket: Socket,
  error: AppError,
  parts: EarlyResponseParts,
  packet: Buffer | undefined,
): void {
  const origin = originIn(packet)
  const failed = { method: '', target: undefined, headers: origin === undefined ? {} : { origin } }
  const { headers, body, requestId } = responseOf(error, failed, parts)
  const { status } = error.kind
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body.toString()}`,
  )
  // Browsers open connections that they may never use.
  if (socket.bytesRead > 0) observeResponse(parts, error, requestId, { method: '', path: '' })
}

function originIn(packet: Buffer | undefined): string | undefined {
  return /^Origin:[ \t]*([\x21-\x7e]+)[ \t]*\r$/im.exec(packet?.toString('latin1') ?? '')?.[1]
}

function responseOf(error: AppError, request: FailedRequest, { wayOn, crossOrigin }: EarlyResponseParts) {
  const requestId = randomUUID()
  const { headers, body } = errorResponse(error, request, requestId, wayOn)
  return {
    requestId,
    body,
    headers: {
      ...commonHeaders(requestId),
      ...headers,
      ...crossOrigin?.headersFor(request.headers.origin),
      'content-length': String(body.length),
      connection: 'close',
    },
  }
}

function observeResponse(
  { observe }: EarlyResponseParts,
  { kind }: AppError,
  requestId: string,
  {
    method,
    path,
    traceId,
  }: { readonly method: string; readonly path: string; readonly traceId?: string | undefined },
): void {
  observe({
    kind: 'RequestHandled',
    requestId,
    method,
    path,
    status: kind.status,
    milliseconds: 0,
    ...(traceId === undefined ? {} : { traceId }),
  })
}
