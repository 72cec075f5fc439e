import { connect, createServer, type Server, type Socket } from 'node:net'

/** What becomes of connections: passed on; refused, and the open ones cut; or taken, and nothing more is heard. */
export type FaultMode = 'pass' | 'refuse' | 'blackhole'

/** A way to a server that can be broken. */
export interface FaultProxy {
  readonly port: number
  setMode(mode: FaultMode): void
  close(): Promise<void>
}

/** Starts a proxy on a free port to a server of this machine. */
export async function startFaultProxy(host: string, port: number): Promise<FaultProxy> {
  let mode: FaultMode = 'pass'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (mode === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect({ host, port })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (mode === 'pass') to.write(bytes)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await listening(server)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setMode(wanted) {
      mode = wanted
      if (mode === 'refuse') for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}
