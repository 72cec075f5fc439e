import { connect, type Socket } from 'node:net'

/** A client that never closes its side of the connection. */
export interface HalfOpenClient {
  readonly socket: Socket
  /** What the server has sent. */
  text(): string
  /** Settled when the server has closed its side. */
  readonly ended: Promise<unknown>
  /** Settled when the server has given the whole connection back: it refuses what is sent on it. */
  released(): Promise<void>
}

/** Connects and sends bytes as they are. */
export function halfOpenClient(url: string, bytes = ''): HalfOpenClient {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let text = ''
  if (bytes !== '') socket.write(Buffer.from(bytes, 'latin1'))
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
  })
  const ended = new Promise((resolve) => {
    socket.once('end', resolve)
    socket.once('error', resolve)
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return {
    socket,
    text: () => text,
    ended,
    async released() {
      await ended
      const timer = setInterval(() => socket.write('x'), 20)
      await closed
      clearInterval(timer)
    },
  }
}
