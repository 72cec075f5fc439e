import type { Duplex } from 'node:stream'

/** How long a client may take to close its side of a connection that the server has ended, in milliseconds. */
const lingerMs = 2000

const ended = new WeakSet<Duplex>()

/**
 * Sends the last bytes of a connection and closes it: when the client has closed its side, or after 2 s. Until then
 * incoming bytes are read, because closing a connection with unread bytes resets it, and the client may lose the
 * response.
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
