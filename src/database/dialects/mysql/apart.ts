import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise'
import { socketOf } from './mysql2-internals.ts'

/** The usual time limit in milliseconds. */
const apartMs = 2000

/** Queries the server over a new connection, and closes it. Throws the driver's errors, within `timeoutMs`. */
export async function apart<Result>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<Result>,
  timeoutMs = apartMs,
): Promise<Result> {
  const begun = performance.now()
  const connection = await createConnection({ ...options, connectTimeout: apartMs })
  // An error outside a statement fails the statement, too.
  connection.on('error', () => undefined)
  const late = setTimeout(() => cut(connection), begun + timeoutMs - performance.now())
  try {
    return await work(connection)
  } finally {
    clearTimeout(late)
    connection.destroy()
    cut(connection)
  }
}

/** Closes a connection immediately: pending requests on it fail. */
export function cut(connection: Connection): void {
  socketOf(connection).destroy()
}
