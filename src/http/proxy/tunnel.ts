import type { Duplex } from 'node:stream'

/** One side of a tunnel: its connection, and what of it was read already. */
export interface TunnelEnd {
  readonly socket: Duplex & { setTimeout?(milliseconds: number, listener: () => void): unknown }
  readonly head: Buffer
}

/**
 * Carries bytes between two connections, each as fast as the other takes them, until both are done. When
 * one breaks, or nothing comes for `idleMs`, both end.
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
  const closings = ends.map(({ socket }) => {
    socket.on('error', close)
    socket.setTimeout?.(idleMs, close)
    return new Promise((resolve) => socket.once('close', resolve))
  })
  carry(one, other)
  carry(other, one)
  return { close, done: Promise.all(closings) }
}

function carry(from: TunnelEnd, to: TunnelEnd): void {
  if (from.head.length > 0) to.socket.write(from.head)
  from.socket.pipe(to.socket)
  from.socket.once('close', () => {
    // What was read before is still on its way.
    if (!to.socket.destroyed) to.socket.end(() => to.socket.destroy())
  })
}
