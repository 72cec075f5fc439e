import { connect, createServer, type Server, type Socket } from 'node:net'

/** Carries connections to a server, or keeps them from it. */
export interface TcpRelay {
  readonly port: number
  /** `refuse` closes every connection, `silence` keeps them and carries nothing. */
  become(mode: 'carry' | 'refuse' | 'silence'): void
  close(): Promise<void>
}

export async function startTcpRelay(host: string, port: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let mode: 'carry' | 'refuse' | 'silence' = 'carry'
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client))
    if (mode === 'refuse') {
      client.destroy()
      return
    }
    const upstream = connect(port, host)
    sockets.add(upstream)
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (piece) => mode === 'carry' && upstream.write(piece))
    upstream.on('data', (piece) => mode === 'carry' && client.write(piece))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    become(next) {
      mode = next
      if (next === 'refuse') for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
