/** The client's side of what is forwarded: its request, and the answer to it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { awaitsContinue, sendContinue } from '../http/continue.ts'
import { type HeaderList, rawHeadersOf } from './header-list.ts'
import { breakOff, endWith } from './target-answer.ts'
import type { StartedRequest } from './target-request.ts'

/** How long a client that asked for it waits for a target's `100 Continue`, in milliseconds. */
const continueMs = 1000

/** Sends the body of a request on, as fast as the target takes it; first asks the target, where the client wants that. */
export function sendBody(request: IncomingMessage, response: ServerResponse, started: StartedRequest): void {
  const { outgoing } = started
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

/** Writes the head of an answer. It is sent with what follows, or by `flushHeaders`. */
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

/** See `TargetAnswer.sendBody`. */
export function sendAnswerBody(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const done = () => resolve(false)
  response.on('close', done)
  response.on('finish', done)
  if (answer.complete && !answer.destroyed) {
    // All of it came with its head, as most answers do.
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
