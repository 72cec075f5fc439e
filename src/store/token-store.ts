import type { Connection } from '../database/driver.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { PageRequest } from './page-request.ts'
import { type Statements, textOf } from './statements.ts'

/** A stored authentication token: never the token itself. Times are ISO 8601, UTC. */
export interface StoredToken {
  /** SHA-256 of the token. */
  readonly tokenHash: string
  readonly username: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** A page of those that are valid at the time `alive` (ISO 8601, UTC). */
interface TokenPage extends PageRequest {
  readonly alive: string
}

/** The tokens, by hash. */
export interface TokenStore {
  /** Of one account or of all, oldest first and by username, including expired ones that are not removed yet. */
  list(
    connection: Connection,
    username: string | undefined,
    page?: TokenPage,
  ): Promise<readonly StoredToken[]>
  /** The accounts that have tokens. */
  usernames(connection: Connection): Promise<ReadonlySet<string>>
  find(connection: Connection, tokenHash: string): Promise<StoredToken | undefined>
  insert(connection: Connection, token: StoredToken): Promise<void>
  /** Each returns the number of removed tokens. */
  remove(connection: Connection, tokenHash: string): Promise<number>
  /** Those of an account, all but `kept`. */
  removeOf(connection: Connection, username: string, kept?: string): Promise<number>
  /** Those of an account with some hashes. */
  removeSome(connection: Connection, username: string, tokenHashes: readonly string[]): Promise<number>
  removeAll(connection: Connection): Promise<number>
  /** Those that expired at `timestamp` (ISO 8601, UTC) or before. */
  removeEnded(connection: Connection, timestamp: string): Promise<number>
}

/** The tokens in the table `gatehouse_token`. */
export function createTokenStore({ query, execute }: Statements): TokenStore {
  return {
    async list(connection, username, page) {
      const conditions = [
        raw('1 = 1'),
        ...(username === undefined ? [] : [sql<SqlValue>`username = ${parameter<SqlValue>(username)}`]),
        ...(page === undefined ? [] : [sql<SqlValue>`expires_at > ${parameter<SqlValue>(page.alive)}`]),
        ...(page?.after === undefined ? [] : [isBehind(page.after)]),
      ]
      const limit = page === undefined ? raw('') : sql<SqlValue>` limit ${parameter<SqlValue>(page.limit)}`
      const rows = await query(
        connection,
        sql<SqlValue>`select token_hash, username, created_at, expires_at from gatehouse_token where ${join(conditions, ' and ')} order by created_at, username, token_hash${limit}`,
      )
      return rows.map(tokenOf)
    },
    async usernames(connection) {
      const rows = await query(connection, sql`select distinct username from gatehouse_token`)
      return new Set(rows.map(([username]) => textOf(username)))
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
    removeOf(connection, username, kept) {
      const others = kept === undefined ? raw('') : sql<SqlValue>` and token_hash <> ${parameter(kept)}`
      const ofAccount = sql<SqlValue>`username = ${parameter<SqlValue>(username)}`
      return execute(connection, sql<SqlValue>`delete from gatehouse_token where ${ofAccount}${others}`)
    },
    removeSome(connection, username, tokenHashes) {
      const hashes = join(
        tokenHashes.map((tokenHash) => parameter(tokenHash)),
        ', ',
      )
      return execute(
        connection,
        sql`delete from gatehouse_token where username = ${parameter(username)} and token_hash in (${hashes})`,
      )
    },
    removeAll: (connection) => execute(connection, sql`delete from gatehouse_token`),
    removeEnded: (connection, timestamp) =>
      execute(connection, sql`delete from gatehouse_token where expires_at <= ${parameter(timestamp)}`),
  }
}

/** The cursor of a token in the list. It reveals no token: it holds only its hash. */
export function tokenPlace({ createdAt, username, tokenHash }: StoredToken): string {
  return Buffer.from(JSON.stringify([createdAt, username, tokenHash])).toString('base64url')
}

/** Those after a cursor; all for an invalid one. */
function isBehind(place: string): SqlFragment<SqlValue> {
  const [created, name, hash] = keyAt(place).map((text) => parameter<SqlValue>(text))
  if (created === undefined || name === undefined || hash === undefined) return raw('1 = 1')
  const isLater = sql<SqlValue>`created_at > ${created} or (created_at = ${created} and username > ${name})`
  return sql<SqlValue>`(${isLater} or (created_at = ${created} and username = ${name} and token_hash > ${hash}))`
}

function keyAt(place: string): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(place, 'base64url').toString())
    return Array.isArray(key) && key.length === 3 ? key.map(String) : []
  } catch {
    return []
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
