/**
 * Everything that this program uses of `pg` beyond its types and documentation. `package.json` pins the version of
 * `pg` that it was tested with; start an update with this file and the tests of this folder.
 */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** Identifies a connection in a cancel request. */
export interface CancelKey {
  readonly processId: number
  readonly secretKey: number
}

/** The key of a connected client; undefined before it is connected. */
export function cancelKeyOf(client: pg.ClientBase): CancelKey | undefined {
  const { processID, secretKey } = client as unknown as {
    readonly processID: number | null
    readonly secretKey: number | null
  }
  return processID === null || secretKey === null ? undefined : { processId: processID, secretKey }
}

/** The connection of a client. */
export function connectionOf(client: pg.ClientBase): pg.Connection {
  return (client as unknown as { readonly connection: pg.Connection }).connection
}

/** The socket of a connection. */
export function socketOf(connection: pg.Connection): Socket {
  return connection.stream as Socket
}

/** Makes a connection read messages from an emitter of `data` and `end` instead of its socket. */
export function readFrom(connection: pg.Connection, messages: EventEmitter): void {
  const { attachListeners } = pg.Connection.prototype as unknown as {
    attachListeners(stream: EventEmitter): void
  }
  attachListeners.call(connection, messages)
}

/** A connection's prepared statements as `pg` knows them, by name. It never removes any by itself. */
export function preparedIn(connection: pg.Connection): Record<string, unknown> {
  return (connection as unknown as { readonly parsedStatements: Record<string, unknown> }).parsedStatements
}

/** A client's configuration with the connection that it uses. */
export function withConnection(
  config: pg.ClientConfig,
  connectionOfConfig: (config: pg.ConnectionConfig) => pg.Connection,
): pg.ClientConfig {
  const { ssl, keepAlive, keepAliveInitialDelayMillis, password } = config
  const connection = connectionOfConfig({
    ssl,
    keepAlive,
    keepAliveInitialDelayMillis,
  } as pg.ConnectionConfig)
  // The pool hides the password from enumeration.
  return { ...config, ...(password === undefined ? {} : { password }), connection } as pg.ClientConfig
}

/** A connection that only sends the request to cancel what runs on another one. */
export interface CancelConnection {
  readonly stream: { destroy(): void }
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

export function cancelConnection({ ssl }: pg.ClientConfig): CancelConnection {
  return new pg.Connection({ ssl } as pg.ConnectionConfig) as unknown as CancelConnection
}
