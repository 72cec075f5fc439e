import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** An API key as it is kept: never the key itself. */
export interface StoredApiKey {
  /** SHA-256 of the key. */
  readonly keyHash: string
  readonly username: string
  /** Tells the keys of an account apart. */
  readonly name: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** The API keys, by hash. */
export interface ApiKeyStore {
  find(connection: Connection, keyHash: string): Promise<StoredApiKey | undefined>
  insert(connection: Connection, key: StoredApiKey): Promise<void>
  /** Ends every key of an account. */
  removeOf(connection: Connection, username: string): Promise<void>
}

/** The API keys in the table `gatehouse_api_key`. */
export function createApiKeyStore({ query, execute }: Statements): ApiKeyStore {
  return {
    async find(connection, keyHash) {
      const rows = await query(
        connection,
        sql`select username, name, created_at from gatehouse_api_key where key_hash = ${parameter(keyHash)}`,
      )
      const [row] = rows
      if (row === undefined) return undefined
      const [username, name, createdAt] = row
      return { keyHash, username: textOf(username), name: textOf(name), createdAt: textOf(createdAt) }
    },
    async insert(connection, { keyHash, username, name, createdAt }) {
      await execute(
        connection,
        sql`insert into gatehouse_api_key (key_hash, username, name, created_at) values (${parameter(keyHash)}, ${parameter(username)}, ${parameter(name)}, ${parameter(createdAt)})`,
      )
    },
    async removeOf(connection, username) {
      await execute(connection, sql`delete from gatehouse_api_key where username = ${parameter(username)}`)
    },
  }
}
