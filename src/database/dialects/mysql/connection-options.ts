import type { ConnectionOptions } from 'mysql2/promise'
import type { ServerDriverSettings } from '../../driver.ts'

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
}: ServerDriverSettings): ConnectionOptions {
  return {
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    ...(password === undefined ? {} : { password }),
    database: name,
    ...(tls ? { ssl: {} } : {}),
    connectTimeout: connectTimeoutMs,
  }
}
