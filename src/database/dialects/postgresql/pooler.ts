/** Connection poolers in front of the server, such as PgBouncer in transaction mode: each transaction may get another of the server's sessions. */
import pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { apart } from './apart.ts'
import { clientConfig, type PostgresqlDriverOptions } from './connect.ts'

/** What the driver's client has, and its types do not tell: how its connection is named to who would cancel on it. */
interface KeyedClient {
  readonly processID: number | null
  readonly secretKey: number | null
}

/** Whether the answer to `pg_backend_pid()` is from another process than the one that took the connection. */
export function isOther(processId: number, client: pg.ClientBase): boolean {
  return processId !== (client as unknown as KeyedClient).processID
}

/**
 * Whether connections go to a pooler, as the options say or as a first connection shows: a pooler gives a key of its own
 * to its clients, in place of the number of the server's process. Throws `DatabaseError` where nobody answers.
 */
export async function isPooled(options: PostgresqlDriverOptions): Promise<boolean> {
  const { pooler = 'auto' } = options
  if (pooler !== 'auto') return pooler === 'transaction'
  return apart(clientConfig(options), async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return isOther(Number(rows[0]?.pid), client)
  })
}

/** Refuses a connection that leads to a pooler where none was at the start: it would get settings that stay on it. */
export function refusePooler(): never {
  throw new DatabaseError(
    'unavailable',
    'A connection pooler answers now where a server answered at the start. Start again, or set db_pooler.',
  )
}

/** How long telling takes at most, in milliseconds. */
const cancelMs = 2000

/**
 * Ends the statement that runs on a client's connection, by the key of the connection. A pooler passes that on only as
 * long as the client has one of the server's sessions, so that nobody else's statement is met. Done when the server or
 * the pooler has taken notice; never fails.
 */
export function cancelByKey(client: pg.ClientBase, config: pg.ClientConfig): Promise<void> {
  const { processID, secretKey } = client as unknown as KeyedClient
  if (processID === null || secretKey === null) return Promise.resolve()
  const { host = '', port = 0, ssl } = config
  const connection = new pg.Connection({ ssl } as pg.ConnectionConfig) as unknown as CancellingConnection
  return new Promise((resolve) => {
    const late = setTimeout(() => connection.stream.destroy(), cancelMs)
    const send = () => connection.cancel(processID, secretKey)
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

/** What the driver's connection has, and its types do not tell. */
interface CancellingConnection {
  readonly stream: { destroy(): void }
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
