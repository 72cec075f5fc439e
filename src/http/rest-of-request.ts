import type { IncomingMessage } from 'node:http'
import { awaitsContinue } from './continue.ts'

/** How long a client may go on sending what nobody needs any more, in milliseconds. */
const restMs = 5000

/**
 * Reads what a client still sends after it was answered, for a while: it may not listen before it has sent
 * all, and its connection is of use again then. Whoever sends for longer loses the connection.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed || awaitsContinue(request)) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), restMs)
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
}
