import type { ConnectionOptions } from 'mysql2/promise'
import type { DriverSettings } from '../../driver.ts'

export interface MysqlDriverOptions extends DriverSettings {
  /** Name or address of the server, or the path of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  /** Name of the database. */
  readonly name: string
  /** Whether the connection is encrypted and the server's certificate verified. */
  readonly tls: boolean
  /** How many connections may be open; at least three. */
  readonly connections: number
}

/** Time limit for connecting, and for the first statements, in milliseconds. */
export const connectTimeoutMs = 4000

/** The options of every connection to the server. */
export function connectionOptions({
  host,
  port,
  user,
  password,
  name,
  tls,
}: MysqlDriverOptions): ConnectionOptions {
  return {
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    ...(password === undefined ? {} : { password }),
    database: name,
    ...(tls ? { ssl: {} } : {}),
    connectTimeout: connectTimeoutMs,
  }
}
