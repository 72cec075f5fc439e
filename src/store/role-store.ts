import type { Connection, Row } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** A role as it is kept. */
export interface StoredRole {
  readonly name: string
  readonly authorities: readonly { readonly regex: string; readonly methods: readonly string[] }[]
}

/** The roles, by name. */
export interface RoleStore {
  /** Sorted by name. */
  list(connection: Connection): Promise<readonly StoredRole[]>
  find(connection: Connection, name: string): Promise<StoredRole | undefined>
  /** Throws `uniqueViolation` when the name is taken. */
  insert(connection: Connection, role: StoredRole): Promise<void>
  /** Whether there was one. */
  update(connection: Connection, role: StoredRole): Promise<boolean>
  /** Whether there was one. Throws `foreignKeyViolation` when an account has it. */
  remove(connection: Connection, name: string): Promise<boolean>
}

/** The roles in the table `gatehouse_role`. */
export function createRoleStore({ query, execute }: Statements): RoleStore {
  return {
    async list(connection) {
      const rows = await query(connection, sql`select name, authorities from gatehouse_role order by name`)
      return rows.map(roleOf)
    },
    async find(connection, name) {
      const rows = await query(
        connection,
        sql`select name, authorities from gatehouse_role where name = ${parameter(name)}`,
      )
      return rows.map(roleOf)[0]
    },
    async insert(connection, { name, authorities }) {
      await execute(
        connection,
        sql`insert into gatehouse_role (name, authorities) values (${parameter(name)}, ${parameter(JSON.stringify(authorities))})`,
      )
    },
    async update(connection, { name, authorities }) {
      const changed = await execute(
        connection,
        sql`update gatehouse_role set authorities = ${parameter(JSON.stringify(authorities))} where name = ${parameter(name)}`,
      )
      return changed > 0
    },
    async remove(connection, name) {
      const changed = await execute(
        connection,
        sql`delete from gatehouse_role where name = ${parameter(name)}`,
      )
      return changed > 0
    },
  }
}

function roleOf([name, authorities]: Row): StoredRole {
  return { name: textOf(name), authorities: JSON.parse(textOf(authorities)) }
}
