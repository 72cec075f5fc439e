/** The client's side of a forwarded request: the request and its response. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { awaitsContinue, sendContinue } from '../http/continue.ts'
import { type HeaderList, rawHeadersOf } from './header-list.ts'
import type { ForwardedFor } from './request-headers.ts'
import type { ResponseMapping } from './response-headers.ts'
import { breakOff, endWith, type TargetResponse } from './target-response.ts'

/** A request to be forwarded, and how. */
export interface ClientExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** In canonical percent-encoding; it starts with the mapping's prefix. */
  readonly encodedPath: string
  /** With its `?`; '' for none. */
  readonly query: string
  readonly forwardedFor: ForwardedFor
  readonly mapping: ResponseMapping
  /** The headers that a target gets, from those of the client. */
  readonly requestHeaders: (headers: HeaderList) => HeaderList
  /** The headers that the client gets, from those of the target's response with a status. */
  readonly responseHeaders: (headers: HeaderList, status: number) => HeaderList
  /**
   * Called once with a response before it is passed on. If the request may be sent again, true drops the response and
   * sends the request with new `requestHeaders`. An error that it throws replaces the response. It is synchronous where
   * possible.
   */
  readonly wantsAgain?: (answer: TargetResponse, maySendAgain: boolean) => false | Promise<boolean>
  /**
   * Called for a response that never ends by itself, with a function that ends it; returns one to call when it has ended.
   */
  readonly watchEndless: (end: () => void) => () => void
}

/** How long a client that asked for it waits for a target's `100 Continue`, in milliseconds. */
const continueMs = 1000

/** Forwards the body of a request, as fast as the target reads it; with `Expect: 100-continue`, asks the target first. */
export function sendBody(request: IncomingMessage, response: ServerResponse, outgoing: ClientRequest): void {
  if (!awaitsContinue(request)) {
    request.pipe(outgoing)
    return
  }
  const go = () => {
    clearTimeout(timer)
    if (outgoing.destroyed || response.headersSent || !awaitsContinue(request)) return
    sendContinue(request, response)
    request.pipe(outgoing)
  }
  const timer = setTimeout(go, continueMs)
  outgoing.once('continue', go)
  outgoing.once('response', () => clearTimeout(timer))
  outgoing.once('close', () => clearTimeout(timer))
  outgoing.flushHeaders()
}

/** Writes the head of a response. It is sent with what follows, or by `flushHeaders`. */
export function writeHead(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: HeaderList,
): void {
  const rawHeaders = rawHeadersOf(headers)
  if (awaitsContinue(request)) rawHeaders.push('Connection', 'close')
  response.writeHead(status, rawHeaders)
}

/** See `TargetResponse.sendBody`. */
export function sendResponseBody(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const done = () => resolve(false)
  response.on('close', done)
  response.on('finish', done)
  if (answer.complete && !answer.destroyed) {
    // The whole body came with the head, as in most responses.
    endWith(response, answer.read() ?? undefined)
    return promise
  }
  const broken = () => {
    if (response.writableEnded || response.destroyed) return
    resolve(true)
    breakOff(response)
  }
  answer.on('error', broken)
  answer.on('close', broken)
  answer.on('end', () => (answer.complete ? response.end() : broken()))
  if (answer.readableLength === 0) response.flushHeaders()
  answer.pipe(response, { end: false })
  if (answer.destroyed) broken()
  return promise
}
