/**
 * `Expect: 100-continue`: a client asks whether it shall send its body. It is told so by whoever begins to
 * read the body, and never for a request that is refused before.
 * https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const waiting = new WeakSet<IncomingMessage>()

/** To be called for each request whose client waits. */
export function markAsWaiting(request: IncomingMessage): void {
  waiting.add(request)
}

/** Whether the client still waits for the word to send its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request)
}

/** Tells a client that waits to send its body. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
