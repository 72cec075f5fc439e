/** Answers to requests that the framework does not get to see: problem documents like all others, and a line of the log. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import { endConnection } from './end-connection.ts'
import { problemMediaType, problemOf } from './problem.ts'
import { discardRest } from './rest-of-request.ts'
import { traceIdOf } from './trace-id.ts'

export type AnswerHeaders = Readonly<Record<string, string>>

/** What early answers need of the server. */
export interface EarlyAnswerParts {
  readonly observe: Observer
}

/** The headers of every answer that is made here. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

/** Answers a request with an error, and ends its connection. `path` is its decoded path, where that could be read. */
export function answerEarly(
  request: IncomingMessage,
  response: ServerResponse,
  error: AppError,
  parts: EarlyAnswerParts,
  path = '',
): void {
  response.once('finish', () => discardRest(request))
  const traceId = traceIdOf(request.headers.traceparent)
  const { headers, body, requestId } = answerOf(error, traceId)
  response.writeHead(error.kind.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  observeAnswer(parts, error, requestId, { method: request.method ?? '', path, traceId })
}

/** Answers with an error on a connection on which no request could be read, and ends it. */
export function answerWithoutRequest(socket: Socket, error: AppError, parts: EarlyAnswerParts): void {
  const { headers, body, requestId } = answerOf(error, undefined)
  const { status } = error.kind
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  endConnection(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Browsers open connections that they may never use.
  if (socket.bytesRead > 0) observeAnswer(parts, error, requestId, { method: '', path: '' })
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

function observeAnswer(
  { observe }: EarlyAnswerParts,
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
