import type { Connection } from '../database/driver.ts'
import { parameter, raw, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { Syntax } from '../database/syntax.ts'
import { type Statements, textOf } from './statements.ts'

/** The second factor of an account: time-based one-time passwords. Times are ISO 8601, UTC. */
export interface StoredSecondFactor {
  readonly username: string
  /** In Base32, as authenticator apps take it. */
  readonly secret: string
  /** Whether it is asked for: its owner has entered a right code. */
  readonly active: boolean
  readonly createdAt: string
  /** The time step of the last code that was accepted; 0 before the first. */
  readonly lastStep: number
  /** How many wrong codes came in a row, and when the last one was; '' without any. */
  readonly failures: number
  readonly failedAt: string
}

/** The second factors, by username. */
export interface SecondFactorStore {
  /** Locks it for the rest of the transaction. */
  findLocked(connection: Connection, username: string): Promise<StoredSecondFactor | undefined>
  find(connection: Connection, username: string): Promise<StoredSecondFactor | undefined>
  /** Replaces the one of the account, and its recovery codes. */
  put(connection: Connection, factor: StoredSecondFactor): Promise<void>
  update(connection: Connection, factor: StoredSecondFactor): Promise<void>
  /** Removes it with its recovery codes; whether there was one. */
  remove(connection: Connection, username: string): Promise<boolean>
  /** Replaces the recovery codes, given by their hashes. */
  putRecoveryCodes(connection: Connection, username: string, hashes: readonly string[]): Promise<void>
  countRecoveryCodes(connection: Connection, username: string): Promise<number>
  /** Removes a recovery code; whether there was one. Of several callers, one removes it. */
  takeRecoveryCode(connection: Connection, username: string, hash: string): Promise<boolean>
}

const columns = raw('username, secret, active, created_at, last_step, failures, failed_at')

/** The second factors in the tables `gatehouse_second_factor` and `gatehouse_recovery_code`. */
export function createSecondFactorStore(
  { query, execute }: Statements,
  { rowLock }: Pick<Syntax, 'rowLock'>,
): SecondFactorStore {
  async function select(connection: Connection, username: string, lock: string) {
    const [row] = await query(
      connection,
      sql`select ${columns} from gatehouse_second_factor where username = ${parameter(username)}${raw(lock)}`,
    )
    if (row === undefined) return undefined
    const [, secret, active, createdAt, lastStep, failures, failedAt] = row
    return {
      username,
      secret: textOf(secret),
      active: Number(active) !== 0,
      createdAt: textOf(createdAt),
      lastStep: Number(lastStep),
      failures: Number(failures),
      failedAt: textOf(failedAt),
    }
  }

  async function removeCodes(connection: Connection, username: string): Promise<void> {
    await execute(
      connection,
      sql`delete from gatehouse_recovery_code where username = ${parameter(username)}`,
    )
  }

  async function remove(connection: Connection, username: string): Promise<boolean> {
    await removeCodes(connection, username)
    const removed = await execute(
      connection,
      sql`delete from gatehouse_second_factor where username = ${parameter(username)}`,
    )
    return removed > 0
  }

  return {
    findLocked: (connection, username) => select(connection, username, rowLock.exclusive),
    find: (connection, username) => select(connection, username, ''),
    async put(connection, { username, secret, active, createdAt, lastStep, failures, failedAt }) {
      await remove(connection, username)
      await execute(
        connection,
        sql<SqlValue>`insert into gatehouse_second_factor (${columns}) values (${parameter(username)}, ${parameter(secret)}, ${parameter(active ? 1 : 0)}, ${parameter(createdAt)}, ${parameter(lastStep)}, ${parameter(failures)}, ${parameter(failedAt)})`,
      )
    },
    async update(connection, { username, active, lastStep, failures, failedAt }) {
      await execute(
        connection,
        sql<SqlValue>`update gatehouse_second_factor set active = ${parameter(active ? 1 : 0)}, last_step = ${parameter(lastStep)}, failures = ${parameter(failures)}, failed_at = ${parameter(failedAt)} where username = ${parameter(username)}`,
      )
    },
    remove,
    async putRecoveryCodes(connection, username, hashes) {
      await removeCodes(connection, username)
      for (const hash of hashes) {
        await execute(
          connection,
          sql<SqlValue>`insert into gatehouse_recovery_code (username, code_hash) values (${parameter(username)}, ${parameter(hash)})`,
        )
      }
    },
    async countRecoveryCodes(connection, username) {
      const [row] = await query(
        connection,
        sql`select count(*) from gatehouse_recovery_code where username = ${parameter(username)}`,
      )
      return Number(row?.[0] ?? 0)
    },
    async takeRecoveryCode(connection, username, hash) {
      const removed = await execute(
        connection,
        sql<SqlValue>`delete from gatehouse_recovery_code where username = ${parameter(username)} and code_hash = ${parameter(hash)}`,
      )
      return removed > 0
    },
  }
}
