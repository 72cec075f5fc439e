import type { Connection, Row } from '../database/driver.ts'
import { parameter, raw, sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** An authentication token as it is kept: never the token itself. Times are ISO 8601, UTC. */
export interface StoredToken {
  /** SHA-256 of the token. */
  readonly tokenHash: string
  readonly username: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** The tokens, by hash. */
export interface TokenStore {
  /** Of one account or of all, oldest first and by username; ended ones that nobody has removed yet are among them. */
  list(connection: Connection, username: string | undefined): Promise<readonly StoredToken[]>
  find(connection: Connection, tokenHash: string): Promise<StoredToken | undefined>
  insert(connection: Connection, token: StoredToken): Promise<void>
  /** Each gives the number of tokens it removed. */
  remove(connection: Connection, tokenHash: string): Promise<number>
  removeOf(connection: Connection, username: string): Promise<number>
  removeAll(connection: Connection): Promise<number>
  /** Those that ended at `moment` (ISO 8601, UTC) or before. */
  removeEnded(connection: Connection, moment: string): Promise<number>
}

/** The tokens in the table `gatehouse_token`. */
export function createTokenStore({ query, execute }: Statements): TokenStore {
  return {
    async list(connection, username) {
      const where = username === undefined ? raw('') : sql` where username = ${parameter(username)}`
      const rows = await query(
        connection,
        sql`select token_hash, username, created_at, expires_at from gatehouse_token${where} order by created_at, username, token_hash`,
      )
      return rows.map(tokenOf)
    },
    async find(connection, tokenHash) {
      const rows = await query(
        connection,
        sql`select token_hash, username, created_at, expires_at from gatehouse_token where token_hash = ${parameter(tokenHash)}`,
      )
      return rows.map(tokenOf)[0]
    },
    async insert(connection, { tokenHash, username, createdAt, expiresAt }) {
      await execute(
        connection,
        sql`insert into gatehouse_token (token_hash, username, created_at, expires_at) values (${parameter(tokenHash)}, ${parameter(username)}, ${parameter(createdAt)}, ${parameter(expiresAt)})`,
      )
    },
    remove: (connection, tokenHash) =>
      execute(connection, sql`delete from gatehouse_token where token_hash = ${parameter(tokenHash)}`),
    removeOf: (connection, username) =>
      execute(connection, sql`delete from gatehouse_token where username = ${parameter(username)}`),
    removeAll: (connection) => execute(connection, sql`delete from gatehouse_token`),
    removeEnded: (connection, moment) =>
      execute(connection, sql`delete from gatehouse_token where expires_at <= ${parameter(moment)}`),
  }
}

function tokenOf([tokenHash, username, createdAt, expiresAt]: Row): StoredToken {
  return {
    tokenHash: textOf(tokenHash),
    username: textOf(username),
    createdAt: textOf(createdAt),
    expiresAt: textOf(expiresAt),
  }
}
