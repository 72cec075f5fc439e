/** The client's side of what is forwarded: its request, and the answer to it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { awaitsContinue, sendContinue } from '../continue.ts'
import type { HeaderList } from './header-list.ts'
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
  const closing: HeaderList = awaitsContinue(request) ? [['Connection', 'close']] : []
  response.writeHead(status, [...headers, ...closing].flat())
}

/**
 * Sends the body of an answer on, as fast as the client takes it; its head with the first piece when that is there
 * already, else at once: a client may wait for it longer than for the body. An answer that breaks off breaks the
 * client's connection, in a way that cannot be taken for its end. Done when the client has all, or is gone;
 * gives whether the answer broke off.
 */
export function sendAnswerBody(answer: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const breakOff = () => {
    if (response.writableEnded || response.destroyed) return
    resolve(true)
    resetConnection(response.socket)
    response.destroy()
  }
  const headFirst = setImmediate(() => response.flushHeaders())
  answer.once('data', () => clearImmediate(headFirst))
  response.once('finish', () => clearImmediate(headFirst))
  response.once('close', () => clearImmediate(headFirst))
  response.once('close', () => resolve(false))
  response.once('finish', () => resolve(false))
  answer.once('end', () => (answer.complete ? response.end() : breakOff()))
  answer.once('error', breakOff)
  answer.once('close', breakOff)
  answer.pipe(response, { end: false })
  if (answer.destroyed) breakOff()
  return promise
}

function resetConnection(socket: Socket | null): void {
  if (socket !== null && !socket.destroyed && 'resetAndDestroy' in socket) socket.resetAndDestroy()
  else socket?.destroy()
}
