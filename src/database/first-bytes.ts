import { connect, type NetConnectOpts } from 'node:net'

/** How long a server may take to say something, in milliseconds. */
const timeoutMs = 1000

/**
 * The first bytes that a server sends, after `greeting` if there is one: to find out what kind of server it is. `closed`
 * if it closes the connection without a word, undefined if it does neither in a second. Never fails.
 */
export function firstBytes(
  { host, port }: { readonly host: string; readonly port: number },
  greeting?: Uint8Array,
): Promise<Uint8Array | 'closed' | undefined> {
  const address: NetConnectOpts = { host, port, timeout: timeoutMs }
  const socket = connect(address)
  return new Promise<Uint8Array | 'closed' | undefined>((resolve) => {
    const late = setTimeout(() => resolve(undefined), timeoutMs)
    socket.on('connect', () => {
      if (greeting !== undefined) socket.write(greeting)
    })
    socket.once('data', resolve)
    socket.once('end', () => resolve('closed'))
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => clearTimeout(late))
  }).finally(() => socket.destroy())
}
