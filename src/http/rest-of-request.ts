import type { IncomingMessage } from 'node:http'
import { awaitsContinue } from './continue.ts'

/** How long a client may continue to send data that is no longer needed, in milliseconds. */
const restMs = 5000

/**
 * Reads what a client still sends after its response, for a while: it may not read before it has sent everything, and
 * then its connection can be reused. A client that sends for longer is disconnected.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed || awaitsContinue(request)) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), restMs)
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
}
