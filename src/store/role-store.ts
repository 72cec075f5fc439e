import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type PageRequest, pageBy } from './page-request.ts'
import { type Statements, textOf } from './statements.ts'

/** A stored authority, with its conditions on records if it has some. */
interface StoredAuthority {
  readonly regex: string
  readonly methods: readonly string[]
  readonly rows?: readonly unknown[] | undefined
  readonly fields?:
    | { readonly read?: readonly string[] | undefined; readonly write?: readonly string[] | undefined }
    | undefined
  readonly set?: Readonly<Record<string, unknown>> | undefined
}

/** A stored role. */
export interface StoredRole {
  readonly name: string
  readonly authorities: readonly StoredAuthority[]
  /** Names of the roles that its accounts may give; `*` for every role. */
  readonly gives?: '*' | readonly string[] | undefined
  /** How many requests its accounts may make in how many seconds. */
  readonly limits?: { readonly requests: number; readonly per: number } | undefined
  /** Where routes may lead that its accounts write. */
  readonly targets?: readonly string[] | undefined
}

/** The roles, by name. */
export interface RoleStore {
  /** Sorted by name; all without a page. */
  list(connection: Connection, page?: PageRequest): Promise<readonly StoredRole[]>
  find(connection: Connection, name: string): Promise<StoredRole | undefined>
  /** Throws `uniqueViolation` if the name is taken. */
  insert(connection: Connection, role: StoredRole): Promise<void>
  /** Whether there was one. */
  update(connection: Connection, role: StoredRole): Promise<boolean>
  /** Whether there was one. Throws `foreignKeyViolation` if an account has it. */
  remove(connection: Connection, name: string): Promise<boolean>
}

const columns = sql`select role.name, role.authorities, settings.settings
  from gatehouse_role role left join gatehouse_role_settings settings on settings.role_name = role.name`

/** The roles in the table `gatehouse_role`, with their settings in `gatehouse_role_settings`. */
export function createRoleStore({ query, execute }: Statements): RoleStore {
  async function insertSettings(connection: Connection, role: StoredRole): Promise<void> {
    const { name, gives, limits, targets } = role
    if (gives === undefined && limits === undefined && targets === undefined) return
    await execute(
      connection,
      sql`insert into gatehouse_role_settings (role_name, settings) values (${parameter(name)}, ${parameter(JSON.stringify({ gives, limits, targets }))})`,
    )
  }
  async function removeSettings(connection: Connection, name: string): Promise<void> {
    await execute(connection, sql`delete from gatehouse_role_settings where role_name = ${parameter(name)}`)
  }
  return {
    async list(connection, page) {
      const rows = await query(connection, sql<SqlValue>`${columns} ${pageBy('role.name', page)}`)
      return mapInSlices(rows, roleOf)
    },
    async find(connection, name) {
      const rows = await query(connection, sql`${columns} where role.name = ${parameter(name)}`)
      return rows.map(roleOf)[0]
    },
    async insert(connection, role) {
      const { name, authorities } = role
      await execute(
        connection,
        sql`insert into gatehouse_role (name, authorities) values (${parameter(name)}, ${parameter(JSON.stringify(authorities))})`,
      )
      await insertSettings(connection, role)
    },
    async update(connection, role) {
      const { name, authorities } = role
      const changed = await execute(
        connection,
        sql`update gatehouse_role set authorities = ${parameter(JSON.stringify(authorities))} where name = ${parameter(name)}`,
      )
      if (changed === 0) return false
      await removeSettings(connection, name)
      await insertSettings(connection, role)
      return true
    },
    async remove(connection, name) {
      await removeSettings(connection, name)
      const changed = await execute(
        connection,
        sql`delete from gatehouse_role where name = ${parameter(name)}`,
      )
      return changed > 0
    },
  }
}

function roleOf([name, authorities, settings]: Row): StoredRole {
  return {
    name: textOf(name),
    authorities: JSON.parse(textOf(authorities)),
    ...(settings === null ? {} : JSON.parse(textOf(settings))),
  }
}
