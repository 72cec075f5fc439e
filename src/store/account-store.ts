import type { Connection } from '../database/driver.ts'
import { parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { RowLock, Syntax } from '../database/syntax.ts'
import { keyContains, type PageRequest, pageBy } from './page-request.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** A stored account. Times are ISO 8601, UTC. */
export interface StoredAccount {
  readonly username: string
  readonly passwordHash: string
  /** Names of its roles, in the order they were given. */
  readonly roles: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly createdAt: string
  /** The requested lifetime; undefined if it does not expire. */
  readonly expireDays: number | undefined
  readonly expiresAt: string | undefined
  /** Whether it is disabled. */
  readonly disabled: boolean
  /** Its rate limit; undefined if its roles set one. */
  readonly limits?: { readonly requests: number; readonly per: number } | undefined
  /** Whether it has an active second factor; only read, see `SecondFactorStore`. */
  readonly hasSecondFactor?: boolean
  /** How many passkeys it has, if any; only read, see `PasskeyStore`. */
  readonly passkeyCount?: number
}

/** The accounts, by username. */
export interface AccountStore {
  /** Sorted by username; all without a page. */
  list(connection: Connection, page?: PageRequest): Promise<readonly StoredAccount[]>
  find(connection: Connection, username: string): Promise<StoredAccount | undefined>
  /** Locks an account for the rest of the transaction against changes; `exclusive` also against shared locks. */
  lock(connection: Connection, username: string, lock: RowLock): Promise<void>
  /** Throws `uniqueViolation` if the username is taken. */
  insert(connection: Connection, account: StoredAccount): Promise<void>
  /** Whether there was one. Keeps its time of creation. */
  update(connection: Connection, account: StoredAccount): Promise<boolean>
  /** Whether there was one. Its API keys, its tokens, its second factor and its passkeys must have been removed before. */
  remove(connection: Connection, username: string): Promise<boolean>
  countWithRole(connection: Connection, role: string): Promise<number>
}

const columns = raw(
  'username, password_hash, metadata, created_at, expire_days, expires_at, disabled, limits',
)

const hasSecondFactor = raw(
  '(select active from gatehouse_second_factor factor where factor.username = gatehouse_account.username)',
)

const passkeyCount = raw(
  '(select count(*) from gatehouse_passkey passkey where passkey.username = gatehouse_account.username)',
)

/** The accounts in the tables `gatehouse_account` and `gatehouse_account_role`. */
export function createAccountStore(
  { query, execute }: Statements,
  { rowLock }: Pick<Syntax, 'rowLock'>,
): AccountStore {
  async function select(connection: Connection, where: SqlFragment<SqlValue>) {
    const rows = await query(
      connection,
      sql`select ${columns}, ${hasSecondFactor}, ${passkeyCount} from gatehouse_account ${where} order by username`,
    )
    const roles = await query(
      connection,
      sql`select username, role_name from gatehouse_account_role ${where} order by username, ordinal`,
    )
    const rolesByUsername = Map.groupBy(roles, ([username]) => textOf(username))
    return rows.map((row) => accountOf(row, rolesByUsername.get(textOf(row[0])) ?? []))
  }

  async function insertRoles(connection: Connection, { username, roles }: StoredAccount) {
    for (const [ordinal, role] of roles.entries()) {
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_account_role (username, role_name, ordinal) values (${parameter(username)}, ${parameter(role)}, ${parameter(ordinal)})`,
      )
    }
  }

  async function removeRoles(connection: Connection, username: string) {
    await execute(connection, sql`delete from gatehouse_account_role where username = ${parameter(username)}`)
  }

  return {
    async list(connection, page) {
      if (page === undefined) return select(connection, raw(''))
      const rows = await query(
        connection,
        sql<SqlValue>`select username from gatehouse_account ${pageBy('username', page)}`,
      )
      const [first, last] = [rows.at(0)?.[0], rows.at(-1)?.[0]]
      if (first === undefined || last === undefined) return []
      const { q } = page
      const found = q === undefined ? raw('') : sql<SqlValue>` and ${keyContains('username', q)}`
      return select(
        connection,
        sql<SqlValue>`where username >= ${parameter(first)} and username <= ${parameter(last)}${found}`,
      )
    },

    async lock(connection, username, lock) {
      const where = sql`where username = ${parameter(username)}`
      await query(connection, sql`select 1 from gatehouse_account ${where}${raw(rowLock[lock])}`)
    },
    async find(connection, username) {
      const [account] = await select(connection, sql`where username = ${parameter(username)}`)
      return account
    },

    async insert(connection, account) {
      const { username, passwordHash, metadata, createdAt, expireDays, expiresAt, disabled, limits } = account
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_account (${columns}) values (${parameter(username)}, ${parameter(passwordHash)}, ${parameter(JSON.stringify(metadata))}, ${parameter(createdAt)}, ${parameter(expireDays ?? null)}, ${parameter(expiresAt ?? null)}, ${parameter(disabled ? 1 : 0)}, ${parameter(limits === undefined ? null : JSON.stringify(limits))})`,
      )
      await insertRoles(connection, account)
    },

    async update(connection, account) {
      const { username, passwordHash, metadata, expireDays, expiresAt, disabled, limits } = account
      const changed = await execute(
        connection,
        sql<SqlValue>`update gatehouse_account set password_hash = ${parameter(passwordHash)}, metadata = ${parameter(JSON.stringify(metadata))}, expire_days = ${parameter(expireDays ?? null)}, expires_at = ${parameter(expiresAt ?? null)}, disabled = ${parameter(disabled ? 1 : 0)}, limits = ${parameter(limits === undefined ? null : JSON.stringify(limits))} where username = ${parameter(username)}`,
      )
      if (changed === 0) return false
      await removeRoles(connection, username)
      await insertRoles(connection, account)
      return true
    },

    async remove(connection, username) {
      await removeRoles(connection, username)
      const changed = await execute(
        connection,
        sql`delete from gatehouse_account where username = ${parameter(username)}`,
      )
      return changed > 0
    },

    async countWithRole(connection, role) {
      const rows = await query(
        connection,
        sql`select count(*) from gatehouse_account_role where role_name = ${parameter(role)}`,
      )
      return Number(rows[0]?.[0] ?? 0)
    },
  }
}

function accountOf(row: Row, roles: readonly Row[]): StoredAccount {
  const [username, passwordHash, metadata, createdAt, expireDays, expiresAt, disabled, limits, ...proofs] =
    row
  const [factor, passkeys] = proofs.map(Number)
  return {
    username: textOf(username),
    passwordHash: textOf(passwordHash),
    roles: roles.map(([, role]) => textOf(role)),
    metadata: JSON.parse(textOf(metadata)),
    createdAt: textOf(createdAt),
    expireDays: expireDays === null ? undefined : Number(expireDays),
    expiresAt: optionalTextOf(expiresAt),
    disabled: Number(disabled) !== 0,
    ...(limits === null ? {} : { limits: JSON.parse(textOf(limits)) }),
    ...(factor === 1 ? { hasSecondFactor: true } : {}),
    ...(passkeys === 0 ? {} : { passkeyCount: passkeys }),
  }
}
