/**
 * Connection poolers in front of the server, such as PgBouncer in transaction mode: each transaction may run in another
 * of the server's sessions.
 */
import type pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { apart } from './apart.ts'
import { clientConfig, type PostgresqlDriverOptions } from './connect.ts'
import { cancelConnection, cancelKeyOf } from './pg-internals.ts'

/** Whether the result of `pg_backend_pid()` is from another process than the one that accepted the connection. */
export function isOther(processId: number, client: pg.ClientBase): boolean {
  return processId !== cancelKeyOf(client)?.processId
}

/**
 * Whether connections go to a pooler, from the options or from a first connection: a pooler gives its clients a key of
 * its own, instead of the number of the server's process. Throws `DatabaseError` if no server responds.
 */
export async function isPooled(options: PostgresqlDriverOptions): Promise<boolean> {
  const { pooler = 'auto' } = options
  if (pooler !== 'auto') return pooler === 'transaction'
  return apart(clientConfig(options), async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return isOther(Number(rows[0]?.pid), client)
  })
}

/**
 * Refuses a connection to a pooler if there was none at the start: session settings would remain on the shared
 * connection.
 */
export function refusePooler(): never {
  throw new DatabaseError(
    'unavailable',
    'A connection pooler responds now, where at the start a server did. Restart the gateway, or set db_pooler.',
  )
}

/** The time limit of a cancel request, in milliseconds. */
const cancelMs = 2000

/**
 * Cancels the statement that runs on a client's connection, by the key of the connection. A pooler forwards the
 * request only while the client has one of the server's sessions, so that no other client's statement is cancelled.
 * Resolved when the server or pooler has received it; never fails.
 */
export function cancelByKey(client: pg.ClientBase, config: pg.ClientConfig): Promise<void> {
  const key = cancelKeyOf(client)
  if (key === undefined) return Promise.resolve()
  const { host = '', port = 0, ssl } = config
  const connection = cancelConnection(config)
  return new Promise((resolve) => {
    const late = setTimeout(() => connection.stream.destroy(), cancelMs)
    const send = () => connection.cancel(key.processId, key.secretKey)
    connection.on('connect', () => (ssl ? connection.requestSsl() : send()))
    connection.on('sslconnect', send)
    connection.on('error', () => connection.stream.destroy())
    connection.on('end', () => {
      clearTimeout(late)
      resolve()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
