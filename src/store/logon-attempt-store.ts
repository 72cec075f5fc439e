import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { optionalTextOf, type Statements } from './statements.ts'

/** A logon that is being tried, or was tried in vain. */
export interface LogonAttemptRecord {
  readonly id: string
  /** What it counts for: texts that hide whom and what they mean. */
  readonly subjects: readonly string[]
  /** ISO 8601, UTC. */
  readonly triedAt: string
}

/** Counted by the database, so that all nodes count together. */
export interface LogonAttemptStore {
  /** Waits until no other transaction, on whatever node, is between this and its end. */
  takeTurn(connection: Connection): Promise<void>
  insert(connection: Connection, attempt: LogonAttemptRecord): Promise<void>
  /** How many count for a subject since a moment, and when the first of them was. */
  count(
    connection: Connection,
    subject: string,
    since: string,
  ): Promise<{ readonly number: number; readonly first: string | undefined }>
  remove(connection: Connection, id: string): Promise<void>
  removeBefore(connection: Connection, moment: string): Promise<void>
}

export function createLogonAttemptStore({ query, execute }: Statements): LogonAttemptStore {
  return {
    async takeTurn(connection) {
      await execute(connection, sql`update gatehouse_change set version = version + 1 where id = 4`)
    },
    async insert(connection, { id, subjects, triedAt }) {
      for (const subject of subjects) {
        await execute(
          connection,
          sql`insert into gatehouse_logon_attempt (id, subject, tried_at) values (${parameter(id)}, ${parameter(subject)}, ${parameter(triedAt)})`,
        )
      }
    },
    async count(connection, subject, since) {
      const [row] = await query(
        connection,
        sql`select count(*), min(tried_at) from gatehouse_logon_attempt where subject = ${parameter(subject)} and tried_at > ${parameter(since)}`,
      )
      return { number: Number(row?.[0] ?? 0), first: optionalTextOf(row?.[1]) }
    },
    async remove(connection, id) {
      await execute(connection, sql`delete from gatehouse_logon_attempt where id = ${parameter(id)}`)
    },
    async removeBefore(connection, moment) {
      await execute(
        connection,
        sql`delete from gatehouse_logon_attempt where tried_at <= ${parameter(moment)}`,
      )
    },
  }
}
