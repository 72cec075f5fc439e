import type { Connection, Row } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** An API route as it is kept. */
export interface StoredApiRoute {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
}

/** The API routes, by name. */
export interface ApiRouteStore {
  /** Sorted by name. */
  list(connection: Connection): Promise<readonly StoredApiRoute[]>
  find(connection: Connection, name: string): Promise<StoredApiRoute | undefined>
  /** Throws `uniqueViolation` when the name is taken. */
  insert(connection: Connection, route: StoredApiRoute): Promise<void>
  /** Whether there was one. */
  update(connection: Connection, route: StoredApiRoute): Promise<boolean>
  /** Whether there was one. */
  remove(connection: Connection, name: string): Promise<boolean>
}

/** The API routes in the table `gatehouse_api_route`. */
export function createApiRouteStore({ query, execute }: Statements): ApiRouteStore {
  return {
    async list(connection) {
      const rows = await query(
        connection,
        sql`select name, path, methods, scope from gatehouse_api_route order by name`,
      )
      return rows.map(routeOf)
    },
    async find(connection, name) {
      const rows = await query(
        connection,
        sql`select name, path, methods, scope from gatehouse_api_route where name = ${parameter(name)}`,
      )
      return rows.map(routeOf)[0]
    },
    async insert(connection, { name, path, methods, scope }) {
      await execute(
        connection,
        sql`insert into gatehouse_api_route (name, path, methods, scope) values (${parameter(name)}, ${parameter(path)}, ${parameter(JSON.stringify(methods))}, ${parameter(scope)})`,
      )
    },
    async update(connection, { name, path, methods, scope }) {
      const changed = await execute(
        connection,
        sql`update gatehouse_api_route set path = ${parameter(path)}, methods = ${parameter(JSON.stringify(methods))}, scope = ${parameter(scope)} where name = ${parameter(name)}`,
      )
      return changed > 0
    },
    async remove(connection, name) {
      const changed = await execute(
        connection,
        sql`delete from gatehouse_api_route where name = ${parameter(name)}`,
      )
      return changed > 0
    },
  }
}

function routeOf([name, path, methods, scope]: Row): StoredApiRoute {
  return {
    name: textOf(name),
    path: textOf(path),
    methods: JSON.parse(textOf(methods)),
    // Whatever else may stand there opens nothing.
    scope: scope === 'public' ? 'public' : 'protected',
  }
}
