/** Responses to requests that the framework does not see: problem documents like all others, and a log line. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import { endConnection } from './end-connection.ts'
import { problemMediaType, problemOf } from './problem.ts'
import { discardRest } from './rest-of-request.ts'
import { traceIdOf } from './trace-id.ts'

export type ResponseHeaders = Readonly<Record<string, string>>

/** What early responses need of the server. */
export interface EarlyResponseParts {
  readonly observe: Observer
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
  const traceId = traceIdOf(request.headers.traceparent)
  const { headers, body, requestId } = answerOf(error, traceId)
  response.writeHead(error.kind.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  observeResponse(parts, error, requestId, { method: request.method ?? '', path, traceId })
}

/** Sends an error on a connection on which no request could be read, and closes it. */
export function respondWithoutRequest(socket: Socket, error: AppError, parts: EarlyResponseParts): void {
  const { headers, body, requestId } = answerOf(error, undefined)
  const { status } = error.kind
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  endConnection(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Browsers open connections that they may never use.
  if (socket.bytesRead > 0) observeResponse(parts, error, requestId, { method: '', path: '' })
}

function answerOf(error: AppError, traceId: string | undefined) {
  const requestId = randomUUID()
  const body = JSON.stringify(problemOf(error, requestId, traceId))
  const headers = {
    ...commonHeaders(requestId),
    ...error.headers,
    'content-type': problemMediaType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { requestId, body, headers }
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
