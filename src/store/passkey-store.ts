import type { Connection } from '../database/driver.ts'
import { parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import type { Syntax } from '../database/syntax.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** A passkey of an account: the public half. Times are ISO 8601, UTC. */
export interface StoredPasskey {
  /** SHA-256 of the credential id. */
  readonly id: string
  /** As the authenticator made it, in base64url. */
  readonly credentialId: string
  readonly username: string
  /** What its owner calls it. */
  readonly name: string
  /** A COSE key, in base64url: https://www.rfc-editor.org/rfc/rfc9052#section-7 */
  readonly publicKey: string
  /** How often the authenticator says it was used; 0 if it does not count. */
  readonly counter: number
  /** How browsers reach the authenticator, as they say. */
  readonly transports: readonly string[]
  /** Whether it is kept outside the device, too. */
  readonly backedUp: boolean
  readonly createdAt: string
  /** Undefined if it was never used. */
  readonly lastUsedAt: string | undefined
}

/** The passkeys, by id, and the challenges for them. */
export interface PasskeyStore {
  find(connection: Connection, id: string): Promise<StoredPasskey | undefined>
  /** Locks it for the rest of the transaction. */
  findLocked(connection: Connection, id: string): Promise<StoredPasskey | undefined>
  /** Of one account, oldest first. */
  listOf(connection: Connection, username: string): Promise<readonly StoredPasskey[]>
  /** Throws `uniqueViolation` if there is one with its id. */
  insert(connection: Connection, passkey: StoredPasskey): Promise<void>
  rename(connection: Connection, id: string, name: string): Promise<void>
  /** Stores a use: counter, backup state and time. */
  noteUse(connection: Connection, passkey: StoredPasskey): Promise<void>
  /** Whether there was one. */
  remove(connection: Connection, id: string): Promise<boolean>
  /** Removes every one of an account; their number. */
  removeOf(connection: Connection, username: string): Promise<number>
  /** Throws `uniqueViolation` if the challenge was answered before. */
  answerChallenge(connection: Connection, challengeHash: string, expiresAt: string): Promise<void>
  /** Forgets the answered challenges that expired at `timestamp` or before. */
  removeEndedChallenges(connection: Connection, timestamp: string): Promise<void>
  /** The key that signs challenges; undefined before the first one. */
  signingKey(connection: Connection): Promise<string | undefined>
  /** Throws `uniqueViolation` if there is a key. */
  insertSigningKey(connection: Connection, secret: string): Promise<void>
}

const columns = raw(
  'id, credential_id, username, name, public_key, counter, transports, backed_up, created_at, last_used_at',
)

/** The passkeys in the table `gatehouse_passkey`. */
export function createPasskeyStore(
  { query, execute }: Statements,
  { rowLock }: Pick<Syntax, 'rowLock'>,
): PasskeyStore {
  async function select(connection: Connection, rest: SqlFragment<SqlValue>) {
    const rows = await query(connection, sql<SqlValue>`select ${columns} from gatehouse_passkey ${rest}`)
    return rows.map(passkeyOf)
  }

  return {
    async find(connection, id) {
      return (await select(connection, sql<SqlValue>`where id = ${parameter(id)}`))[0]
    },
    async findLocked(connection, id) {
      const lock = raw(rowLock.exclusive)
      return (await select(connection, sql<SqlValue>`where id = ${parameter(id)}${lock}`))[0]
    },
    listOf: (connection, username) =>
      select(connection, sql<SqlValue>`where username = ${parameter(username)} order by created_at, id`),
    async insert(connection, passkey) {
      const { id, credentialId, username, name, publicKey, counter, transports, backedUp } = passkey
      const { createdAt, lastUsedAt = null } = passkey
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_passkey (${columns}) values (${parameter(id)}, ${parameter(credentialId)}, ${parameter(username)}, ${parameter(name)}, ${parameter(publicKey)}, ${parameter(counter)}, ${parameter(JSON.stringify(transports))}, ${parameter(backedUp ? 1 : 0)}, ${parameter(createdAt)}, ${parameter(lastUsedAt)})`,
      )
    },
    async rename(connection, id, name) {
      await execute(
        connection,
        sql<SqlValue>`update gatehouse_passkey set name = ${parameter(name)} where id = ${parameter(id)}`,
      )
    },
    async noteUse(connection, { id, counter, backedUp, lastUsedAt = null }) {
      await execute(
        connection,
        sql<SqlValue>`update gatehouse_passkey set counter = ${parameter(counter)}, backed_up = ${parameter(backedUp ? 1 : 0)}, last_used_at = ${parameter(lastUsedAt)} where id = ${parameter(id)}`,
      )
    },
    async remove(connection, id) {
      const removed = await execute(
        connection,
        sql`delete from gatehouse_passkey where id = ${parameter(id)}`,
      )
      return removed > 0
    },
    removeOf: (connection, username) =>
      execute(connection, sql`delete from gatehouse_passkey where username = ${parameter(username)}`),
    async answerChallenge(connection, challengeHash, expiresAt) {
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_passkey_challenge (challenge_hash, expires_at) values (${parameter(challengeHash)}, ${parameter(expiresAt)})`,
      )
    },
    async removeEndedChallenges(connection, timestamp) {
      await execute(
        connection,
        sql`delete from gatehouse_passkey_challenge where expires_at <= ${parameter(timestamp)}`,
      )
    },
    async signingKey(connection) {
      const [row] = await query(connection, raw('select secret from gatehouse_passkey_key where id = 1'))
      return optionalTextOf(row?.[0])
    },
    async insertSigningKey(connection, secret) {
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_passkey_key (id, secret) values (1, ${parameter(secret)})`,
      )
    },
  }
}

function passkeyOf(row: Row): StoredPasskey {
  const [id, credentialId, username, name, publicKey, counter, transports, backedUp, createdAt, lastUsedAt] =
    row
  return {
    id: textOf(id),
    credentialId: textOf(credentialId),
    username: textOf(username),
    name: textOf(name),
    publicKey: textOf(publicKey),
    counter: Number(counter),
    transports: JSON.parse(textOf(transports)),
    backedUp: Number(backedUp) !== 0,
    createdAt: textOf(createdAt),
    lastUsedAt: optionalTextOf(lastUsedAt),
  }
}
