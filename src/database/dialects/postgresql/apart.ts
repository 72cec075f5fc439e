import pg from 'pg'
import { databaseErrorOf } from './error.ts'
import { connectionOf, socketOf } from './pg-internals.ts'

/** The usual time limit in milliseconds. */
const apartMs = 2000

/** Queries the server over a new connection, and closes it. Throws `DatabaseError`, within `timeoutMs`. */
export async function apart<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
  timeoutMs = apartMs,
): Promise<Result> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  const late = setTimeout(() => cut(client), timeoutMs)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw databaseErrorOf(error)
  } finally {
    const end = () => clearTimeout(late)
    client.end().then(end, end)
  }
}

/** Closes a client's connection immediately: pending requests on it fail. */
export function cut(client: pg.ClientBase): void {
  socketOf(connectionOf(client)).destroy(new Error('The server does not respond.'))
}
