import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { testLimits } from './test-limits.ts'

/** A database from its description: `sqlite:/path/file`, `mysql://user:password@host:port/name`, `postgresql://…/name?schemas=a,b`. */
export function databaseDescribed(description: string): DatabaseOptions {
  const file = /^sqlite:(.+)$/.exec(description)?.[1]
  if (file !== undefined) return { product: 'sqlite', file, readConnections: 2, ...testLimits }
  const url = new URL(description)
  const server = {
    host: url.hostname,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    name: decodeURIComponent(url.pathname.slice(1)),
    tls: false,
    connections: 4,
    ...testLimits,
  }
  if (url.protocol === 'mysql:') return { product: 'mysql', port: Number(url.port || 3306), ...server }
  if (url.protocol === 'postgresql:') {
    const schemas = (url.searchParams.get('schemas') ?? 'public').split(',')
    return { product: 'postgresql', port: Number(url.port || 5432), schemas, ...server }
  }
  throw new Error(
    `${description} is no database: write sqlite:/path/file, mysql://user@host:port/name or postgresql://user@host:port/name`,
  )
}
