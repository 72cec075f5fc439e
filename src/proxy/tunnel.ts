import type { Duplex } from 'node:stream'

/** One side of a tunnel: its connection, and the bytes already read. */
export interface TunnelEnd {
  readonly socket: Duplex & { setTimeout?(milliseconds: number, listener: () => void): unknown }
  readonly head: Buffer
}

/** How long one side may continue when the other has ended, in milliseconds. */
const restMs = 5000

/**
 * Copies bytes between two connections, each as fast as the other reads. When one side ends, the other has 5 s to end as
 * well. When one breaks, or both are idle for `idleMs`, both end.
 */
export function openTunnel(
  ends: readonly [TunnelEnd, TunnelEnd],
  idleMs: number,
): { close(): void; readonly done: Promise<unknown> } {
  const [one, other] = ends
  const sockets = [one.socket, other.socket]
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  let rest: NodeJS.Timeout | undefined
  const limitRest = () => {
    rest ??= setTimeout(close, restMs)
  }
  const closings = ends.map(({ socket }) => {
    socket.on('error', close)
    socket.once('end', limitRest)
    socket.once('close', limitRest)
    socket.setTimeout?.(idleMs, close)
    return new Promise((resolve) => socket.once('close', resolve))
  })
  carry(one, other)
  carry(other, one)
  const done = Promise.all(closings).then(() => clearTimeout(rest))
  return { close, done }
}

function carry(from: TunnelEnd, to: TunnelEnd): void {
  if (from.head.length > 0) to.socket.write(from.head)
  from.socket.pipe(to.socket)
  from.socket.once('close', () => {
    // What was read before still has to be sent.
    if (!to.socket.destroyed) to.socket.end(() => to.socket.destroy())
  })
}
