import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { Row } from '../database/sql-value.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** A call with an idempotency key. Times are ISO 8601, UTC. */
export interface StoredCall {
  /** A hash of the account and the key. */
  readonly id: string
  /** A hash of the request. */
  readonly fingerprint: string
  /** Identifies the current attempt. */
  readonly attempt: string
  readonly startedAt: string
  readonly expiresAt: string
}

/** One row for each key, across all nodes. */
export interface IdempotencyStore {
  /** Throws a DatabaseError of the kind `uniqueViolation` if the key exists. */
  insert(connection: Connection, call: StoredCall): Promise<void>
  /** `answer` is a text; undefined while the call is being carried out. */
  find(
    connection: Connection,
    id: string,
  ): Promise<(StoredCall & { readonly answer: string | undefined }) | undefined>
  /** Replaces an earlier unfinished attempt; whether it was still there. */
  takeOver(connection: Connection, former: string, call: StoredCall): Promise<boolean>
  /** Stores the response of an attempt; whether the attempt still holds the key. */
  complete(connection: Connection, call: StoredCall, answer: string): Promise<boolean>
  /** Frees the key of an unfinished attempt. */
  release(connection: Connection, call: StoredCall): Promise<void>
  /** Those that ended at `timestamp` or before. */
  removeEnded(connection: Connection, timestamp: string): Promise<void>
}

/** The calls in the table `gatehouse_idempotency`. */
export function createIdempotencyStore({ query, execute }: Statements): IdempotencyStore {
  return {
    async insert(connection, { id, fingerprint, attempt, startedAt, expiresAt }) {
      await execute(
        connection,
        sql`insert into gatehouse_idempotency (id, fingerprint, attempt, started_at, expires_at) values (${parameter(id)}, ${parameter(fingerprint)}, ${parameter(attempt)}, ${parameter(startedAt)}, ${parameter(expiresAt)})`,
      )
    },
    async find(connection, id) {
      const rows = await query(
        connection,
        sql`select id, fingerprint, attempt, started_at, expires_at, answer from gatehouse_idempotency where id = ${parameter(id)}`,
      )
      return rows.map(callOf)[0]
    },
    async takeOver(connection, former, { id, attempt, startedAt, expiresAt }) {
      const changed = await execute(
        connection,
        sql`update gatehouse_idempotency set attempt = ${parameter(attempt)}, started_at = ${parameter(startedAt)}, expires_at = ${parameter(expiresAt)} where id = ${parameter(id)} and attempt = ${parameter(former)} and answer is null`,
      )
      return changed > 0
    },
    async complete(connection, { id, attempt }, answer) {
      const changed = await execute(
        connection,
        sql`update gatehouse_idempotency set answer = ${parameter(answer)} where id = ${parameter(id)} and attempt = ${parameter(attempt)}`,
      )
      return changed > 0
    },
    async release(connection, { id, attempt }) {
      await execute(
        connection,
        sql`delete from gatehouse_idempotency where id = ${parameter(id)} and attempt = ${parameter(attempt)} and answer is null`,
      )
    },
    async removeEnded(connection, timestamp) {
      await execute(
        connection,
        sql`delete from gatehouse_idempotency where expires_at <= ${parameter(timestamp)}`,
      )
    },
  }
}

function callOf([id, fingerprint, attempt, startedAt, expiresAt, answer]: Row) {
  return {
    id: textOf(id),
    fingerprint: textOf(fingerprint),
    attempt: textOf(attempt),
    startedAt: textOf(startedAt),
    expiresAt: textOf(expiresAt),
    answer: optionalTextOf(answer),
  }
}
