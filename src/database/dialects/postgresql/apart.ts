import pg from 'pg'
import { databaseErrorOf } from './error.ts'

/** What the driver's client has, and its types do not tell. */
interface ConnectedClient {
  readonly connection: { readonly stream: { destroy(error?: Error): void } }
}

/** How long it takes at most, in milliseconds. */
const apartMs = 2000

/** Asks the server over a connection that is opened for that, and closed. Throws `DatabaseError`, in bounded time. */
export async function apart<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  const late = setTimeout(() => cut(client), apartMs)
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

/** Ends the connection of a client at once: whoever waits for something on it is told. */
export function cut(client: pg.ClientBase): void {
  const { stream } = (client as unknown as ConnectedClient).connection
  stream.destroy(new Error('The server does not answer.'))
}
