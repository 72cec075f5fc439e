import type { DatabaseOptions } from '../../src/database/open-database.ts'

/** A database from its description: `sqlite:/path/file`, `mysql://user:password@host:port/name`. */
export function databaseDescribed(description: string): DatabaseOptions {
  const file = /^sqlite:(.+)$/.exec(description)?.[1]
  if (file !== undefined) return { product: 'sqlite', file, readConnections: 2 }
  const url = new URL(description)
  if (url.protocol === 'mysql:') {
    return {
      product: 'mysql',
      host: url.hostname,
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      name: decodeURIComponent(url.pathname.slice(1)),
      tls: false,
      connections: 4,
    }
  }
  throw new Error(`${description} is no database: write sqlite:/path/file or mysql://user@host:port/name`)
}
