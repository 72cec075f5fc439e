/**
 * Everything that this program uses of `mysql2` beyond its types. `package.json` pins the version of `mysql2` that it
 * was tested with; start an update with this file and the tests of this folder.
 */
import type { Socket } from 'node:net'
import type { Connection as PlainConnection } from 'mysql2'
import type { Connection } from 'mysql2/promise'

/** The callback-based connection, which emits rows as they arrive. */
export function plainOf(connection: Connection): PlainConnection {
  return (connection as unknown as { readonly connection: PlainConnection }).connection
}

/** The socket of a connection. */
export function socketOf(connection: Connection): Socket {
  return (plainOf(connection) as unknown as { readonly stream: Socket }).stream
}
