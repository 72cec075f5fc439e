import type { Duplex } from 'node:stream'

/** How long a client may take to close its side of a connection that the server has ended, in milliseconds. */
const lingerMs = 2000

const ended = new WeakSet<Duplex>()

/**
 * Sends the last bytes of a connection and gives it back: when the client has closed its side, or after 2 s. Until then
 * what still comes is read, because a connection that is closed with unread bytes is reset, and the client may lose
 * the answer.
 */
export function endConnection(socket: Duplex, lastBytes?: string): void {
  if (socket.destroyed || ended.has(socket)) return
  ended.add(socket)
  if (lastBytes === undefined) socket.end()
  else socket.end(lastBytes)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Whether the server has sent the last bytes of a connection by `endConnection`. */
export function isEnded(socket: Duplex): boolean {
  return ended.has(socket)
}
