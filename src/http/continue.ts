/**
 * `Expect: 100-continue`: a client waits before it sends its body. Code that begins to read the body tells it to send; a
 * request that is refused before never gets that far. https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const waiting = new WeakSet<IncomingMessage>()

/** To be called for each request whose client waits. */
export function markAsWaiting(request: IncomingMessage): void {
  waiting.add(request)
}

/** Whether the client still waits for `100 Continue`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request)
}

/** Sends `100 Continue` to a waiting client. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
