import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What becomes of connections: passed on; refused, and the open ones cut; or taken, and nothing more is heard on them nor on
 * the open ones, whatever comes later. `muteAfter` is the same for new connections only, once the server has said so many bytes.
 */
export type FaultMode = 'pass' | 'refuse' | 'blackhole' | { readonly muteAfter: number }

/**
 * What becomes of a `commit`: the server hears it, and the connection is cut, or nothing more is heard on it; or the server does not
 * hear it, and its client gets this answer.
 */
export type CommitFault = 'cut' | 'mute' | Buffer

/** A way to a server that can be broken. */
export interface FaultProxy {
  readonly port: number
  /** How many connections were taken since the mode was set. */
  readonly taken: number
  setMode(mode: FaultMode): void
  /** Cuts each open connection as soon as its client says something, as a firewall does that has forgotten it. */
  forget(): void
  /** Breaks the next commit of a transaction in which the client has said a text. */
  breakCommitAfter(text: string, fault: CommitFault): void
  close(): Promise<void>
}

/** Starts a proxy on a free port to a server of this machine. */
export async function startFaultProxy(host: string, port: number): Promise<FaultProxy> {
  let mode: FaultMode = 'pass'
  let taken = 0
  const sockets = new Set<Socket>()
  const silenced = new Set<() => void>()
  const clients = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  let awaited: { readonly text: string; readonly fault: CommitFault } | undefined
  const server = createServer((client) => {
    taken += 1
    if (mode === 'refuse') {
      client.resetAndDestroy()
      return
    }
    let isMute = mode === 'blackhole'
    let left = typeof mode === 'object' ? mode.muteAfter : Number.POSITIVE_INFINITY
    const silence = () => {
      isMute = true
    }
    silenced.add(silence)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    const upstream = connect({ host, port })
    let said = ''
    /** Whether the bytes were a commit that is to be broken. */
    const isBroken = (bytes: Buffer): boolean => {
      if (awaited === undefined) return false
      said += bytes.toString('latin1')
      if (!(said.includes(awaited.text) && /commit\0?$/.test(said))) return false
      const { fault } = awaited
      awaited = undefined
      if (typeof fault !== 'string') client.write(fault)
      else if (fault === 'cut') upstream.write(bytes, () => client.resetAndDestroy())
      else upstream.write(bytes)
      isMute = fault === 'mute'
      return true
    }
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (forgotten.has(from)) from.resetAndDestroy()
        if (isMute || forgotten.has(from)) return
        if (from === client && isBroken(bytes)) return
        const heard = from === upstream ? bytes.subarray(0, left) : bytes
        if (from === upstream) left -= heard.length
        to.write(heard)
        if (left <= 0) isMute = true
      })
      // Nor is it heard that the server is done.
      const cut = () => (isMute && from === upstream ? undefined : to.destroy())
      from.on('error', cut)
      from.on('close', () => {
        sockets.delete(from)
        silenced.delete(silence)
        cut()
      })
    }
  })
  await listening(server)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get taken() {
      return taken
    },
    setMode(wanted) {
      mode = wanted
      taken = 0
      if (mode === 'refuse') for (const socket of sockets) socket.resetAndDestroy()
      if (mode === 'blackhole') for (const silence of silenced) silence()
    },
    forget() {
      for (const socket of clients) forgotten.add(socket)
    },
    breakCommitAfter(text, fault) {
      awaited = { text, fault }
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
