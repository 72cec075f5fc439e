import type { Connection } from '../database/driver.ts'
import { parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** A stored API key: never the key itself. Times are ISO 8601, UTC. */
export interface StoredApiKey {
  /** SHA-256 of the key. */
  readonly keyHash: string
  readonly username: string
  /** Identifies a key within its account. */
  readonly name: string
  /** How a generated key begins; undefined for a key that was chosen, or that an earlier version made. */
  readonly prefix: string | undefined
  readonly createdAt: string
  /** Undefined if it does not expire. */
  readonly expiresAt: string | undefined
  /** Undefined if it was never used. */
  readonly lastUsedAt: string | undefined
}

/** The API keys, by hash, and by account and name. */
export interface ApiKeyStore {
  find(connection: Connection, keyHash: string): Promise<StoredApiKey | undefined>
  /** Of one account, by name. */
  listOf(connection: Connection, username: string): Promise<readonly StoredApiKey[]>
  /** The accounts that have a key which does not expire. */
  ownersOfLasting(connection: Connection): Promise<ReadonlySet<string>>
  /** Throws `uniqueViolation` if the account has a key of that name. */
  insert(connection: Connection, key: StoredApiKey): Promise<void>
  /** Stores when a key was last used. */
  noteUse(connection: Connection, keyHash: string, timestamp: string): Promise<void>
  /** Whether there was one. */
  remove(connection: Connection, username: string, name: string): Promise<boolean>
  /** Ends every key of an account. */
  removeOf(connection: Connection, username: string): Promise<void>
}

const columns = raw('key_hash, username, name, created_at, expires_at, last_used_at, prefix')

/** The API keys in the table `gatehouse_api_key`. */
export function createApiKeyStore({ query, execute }: Statements): ApiKeyStore {
  async function select(connection: Connection, where: SqlFragment<SqlValue>) {
    const rows = await query(connection, sql`select ${columns} from gatehouse_api_key ${where} order by name`)
    return rows.map(keyOf)
  }

  return {
    async find(connection, keyHash) {
      return (await select(connection, sql`where key_hash = ${parameter(keyHash)}`))[0]
    },
    listOf: (connection, username) => select(connection, sql`where username = ${parameter(username)}`),
    async ownersOfLasting(connection) {
      const rows = await query(
        connection,
        sql`select distinct username from gatehouse_api_key where expires_at is null`,
      )
      return new Set(rows.map(([username]) => textOf(username)))
    },
    async insert(connection, { keyHash, username, name, createdAt, expiresAt, lastUsedAt, prefix }) {
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_api_key (${columns}) values (${parameter(keyHash)}, ${parameter(username)}, ${parameter(name)}, ${parameter(createdAt)}, ${parameter(expiresAt ?? null)}, ${parameter(lastUsedAt ?? null)}, ${parameter(prefix ?? null)})`,
      )
    },
    async noteUse(connection, keyHash, timestamp) {
      await execute(
        connection,
        sql`update gatehouse_api_key set last_used_at = ${parameter(timestamp)} where key_hash = ${parameter(keyHash)}`,
      )
    },
    async remove(connection, username, name) {
      const changed = await execute(
        connection,
        sql`delete from gatehouse_api_key where username = ${parameter(username)} and name = ${parameter(name)}`,
      )
      return changed > 0
    },
    async removeOf(connection, username) {
      await execute(connection, sql`delete from gatehouse_api_key where username = ${parameter(username)}`)
    },
  }
}

function keyOf([keyHash, username, name, createdAt, expiresAt, lastUsedAt, prefix]: Row): StoredApiKey {
  return {
    keyHash: textOf(keyHash),
    username: textOf(username),
    name: textOf(name),
    createdAt: textOf(createdAt),
    expiresAt: optionalTextOf(expiresAt),
    lastUsedAt: optionalTextOf(lastUsedAt),
    prefix: optionalTextOf(prefix),
  }
}
