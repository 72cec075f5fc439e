/** Requests that ask to switch the protocol of their connection: https://www.rfc-editor.org/rfc/rfc9110#section-7.8 */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endConnection } from './end-connection.ts'

/** The connection of a request that asks for another protocol. */
export interface Upgrade {
  readonly socket: Duplex
  /** What the client sent right after its request. */
  readonly head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()
const switched = new WeakSet<IncomingMessage>()

/** Only WebSocket is supported (https://www.rfc-editor.org/rfc/rfc6455#section-4.1); other upgrades may be ignored. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  const { method, headers } = request
  return method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket' && !hasBody(request)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * A response to a request that was handed over with its connection; an ordinary one closes the connection. The requested
 * protocol is ignored.
 */
export function responseToUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): ServerResponse {
  if (asksForWebSocket(request)) upgrades.set(request, { socket, head })
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // The server hands it over with the request: it is a socket of `node:net`.
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
  socket.on('error', () => socket.destroy())
  const giveUp = () => socket.destroy()
  socket.on('timeout', giveUp)
  response.once('finish', () => {
    if (switched.has(request)) socket.off('timeout', giveUp)
    else endConnection(socket)
  })
  return response
}

/** The connection of a request that asks for another protocol; undefined for every other request. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request)
}

/**
 * Sends the head of a response that switches protocols, and returns the connection, which the caller owns from then on.
 */
export async function switchProtocols(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
): Promise<Upgrade | undefined> {
  const upgrade = upgrades.get(request)
  if (upgrade === undefined || upgrade.socket.destroyed) return undefined
  upgrades.delete(request)
  switched.add(request)
  const sent = new Promise<void>((resolve) => {
    response.once('finish', resolve)
    response.once('close', resolve)
  })
  response.writeHead(101, [...headers])
  response.end()
  await sent
  if (upgrade.socket.destroyed) return undefined
  response.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0])
  return upgrade
}
