import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise'

/** How long it takes at most, in milliseconds. */
const apartMs = 2000

/** Asks the server over a connection that is opened for that, and closed. Throws the driver's errors, in bounded time. */
export async function apart<Result>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const begun = performance.now()
  const connection = await createConnection({ ...options, connectTimeout: apartMs })
  // What fails beside a statement fails the statement, too.
  connection.on('error', () => undefined)
  const late = setTimeout(() => cut(connection), begun + apartMs - performance.now())
  try {
    return await work(connection)
  } finally {
    clearTimeout(late)
    connection.destroy()
    cut(connection)
  }
}

/** Ends a connection at once: whoever waits for something on it is told. */
export function cut(connection: object): void {
  const { stream } = (connection as WrappedConnection).connection
  stream.destroy()
}

/** What the driver's connections have, and their types do not tell. */
interface WrappedConnection {
  readonly connection: { readonly stream: { destroy(): void } }
}
