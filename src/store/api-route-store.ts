import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { type PageRequest, pageBy } from './page-request.ts'
import { type Statements, textOf } from './statements.ts'

/** The value of a header: text, or the name of a secret with what precedes it. */
type StoredHeader = string | { readonly secret: string; readonly prefix?: string | undefined }

/** A stored API route. */
interface StoredApiRoute {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
  /** One address or several; without one the route applies to the gateway's own APIs. */
  readonly target?: string | readonly string[] | undefined
  /** The prefix that is removed from each path. */
  readonly prefix?: string | undefined
  /** In seconds. */
  readonly timeout?:
    | { readonly connect: number; readonly response: number; readonly idle: number }
    | undefined
  /** Durations are seconds. */
  readonly health?:
    | {
        readonly path: string
        readonly interval: number
        readonly timeout: number
        readonly threshold: number
      }
    | undefined
  readonly headers?: { readonly set: Readonly<Record<string, StoredHeader>> } | undefined
  readonly rewrite?: boolean | undefined
  /** Conditions on records, of a public route. */
  readonly rows?: readonly unknown[] | undefined
  readonly fields?:
    | { readonly read?: readonly string[] | undefined; readonly write?: readonly string[] | undefined }
    | undefined
  readonly set?: Readonly<Record<string, unknown>> | undefined
}

/** The API routes, by name. */
export interface ApiRouteStore {
  /** Sorted by name; all without a page. */
  list(connection: Connection, page?: PageRequest): Promise<readonly StoredApiRoute[]>
  find(connection: Connection, name: string): Promise<StoredApiRoute | undefined>
  /** Throws `uniqueViolation` if the name is taken. */
  insert(connection: Connection, route: StoredApiRoute): Promise<void>
  /** Whether there was one. */
  update(connection: Connection, route: StoredApiRoute): Promise<boolean>
  /** Whether there was one. */
  remove(connection: Connection, name: string): Promise<boolean>
}

const columns = sql`select route.name, route.path, route.methods, route.scope, upstream.settings
  from gatehouse_api_route route left join gatehouse_upstream upstream on upstream.route_name = route.name`

/**
 * The API routes in the table `gatehouse_api_route`, with their targets, or their conditions, in `gatehouse_upstream`.
 */
export function createApiRouteStore({ query, execute }: Statements): ApiRouteStore {
  async function insertSettings(connection: Connection, route: StoredApiRoute): Promise<void> {
    const { name, target, prefix, timeout, health, headers, rewrite, rows, fields, set } = route
    const settings = JSON.stringify({ target, prefix, timeout, health, headers, rewrite, rows, fields, set })
    if (settings === '{}') return
    await execute(
      connection,
      sql`insert into gatehouse_upstream (route_name, settings) values (${parameter(name)}, ${parameter(settings)})`,
    )
  }
  async function removeSettings(connection: Connection, name: string): Promise<void> {
    await execute(connection, sql`delete from gatehouse_upstream where route_name = ${parameter(name)}`)
  }
  return {
    async list(connection, page) {
      const rows = await query(connection, sql<SqlValue>`${columns} ${pageBy('route.name', page)}`)
      return rows.map(routeOf)
    },
    async find(connection, name) {
      const rows = await query(connection, sql`${columns} where route.name = ${parameter(name)}`)
      return rows.map(routeOf)[0]
    },
    async insert(connection, route) {
      const { name, path, methods } = route
      await execute(
        connection,
        sql`insert into gatehouse_api_route (name, path, methods, scope) values (${parameter(name)}, ${parameter(path)}, ${parameter(JSON.stringify(methods))}, ${parameter(storedScope(route))})`,
      )
      await insertSettings(connection, route)
    },
    async update(connection, route) {
      const { name, path, methods } = route
      const changed = await execute(
        connection,
        sql`update gatehouse_api_route set path = ${parameter(path)}, methods = ${parameter(JSON.stringify(methods))}, scope = ${parameter(storedScope(route))} where name = ${parameter(name)}`,
      )
      if (changed === 0) return false
      await removeSettings(connection, name)
      await insertSettings(connection, route)
      return true
    },
    async remove(connection, name) {
      await removeSettings(connection, name)
      const changed = await execute(
        connection,
        sql`delete from gatehouse_api_route where name = ${parameter(name)}`,
      )
      return changed > 0
    },
  }
}

/**
 * What is public under conditions only. Another version of the program, which does not know conditions, takes it for
 * protected.
 */
const conditionalScope = 'conditional'

function storedScope({
  scope,
  rows,
  fields,
  set,
}: Pick<StoredApiRoute, 'scope' | 'rows' | 'fields' | 'set'>): string {
  const hasConditions = rows !== undefined || fields !== undefined || set !== undefined
  return scope === 'public' && hasConditions ? conditionalScope : scope
}

function routeOf([name, path, methods, scope, settings]: Row): StoredApiRoute {
  const more: Partial<StoredApiRoute> = settings === null ? {} : JSON.parse(textOf(settings))
  // Any other scope grants nothing, nor does one with conditions that are not there.
  const isPublic = scope === storedScope({ ...more, scope: 'public' })
  return {
    name: textOf(name),
    path: textOf(path),
    methods: JSON.parse(textOf(methods)),
    scope: isPublic ? 'public' : 'protected',
    ...more,
  }
}
