import type { Connection } from '../database/driver.ts'
import { join, parameter, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { type Statements, textOf } from './statements.ts'

/** A failed logon. */
interface FailedLogon {
  readonly id: string
  /** What it counts for, as hashes. */
  readonly subjects: readonly string[]
  /** ISO 8601, UTC. */
  readonly triedAt: string
}

/** How many logons failed for a subject, and when the first of them was: ISO 8601, UTC. */
export interface FailureCount {
  readonly number: number
  readonly first: string
}

/**
 * Counted by the database, so that all nodes count together. Each failure is a row: concurrent logons do not wait for
 * each other.
 */
export interface LogonAttemptStore {
  insert(connection: Connection, failure: FailedLogon): Promise<void>
  /** The counts of some subjects since a time; a subject without any is omitted. */
  counts(
    connection: Connection,
    subjects: readonly string[],
    since: string,
  ): Promise<ReadonlyMap<string, FailureCount>>
  removeBefore(connection: Connection, timestamp: string): Promise<void>
}

/** The failures in the table `gatehouse_logon_attempt`. */
export function createLogonAttemptStore({ query, execute }: Statements): LogonAttemptStore {
  return {
    async insert(connection, { id, subjects, triedAt }) {
      const rows = subjects.map(
        (subject) => sql<SqlValue>`(${parameter(id)}, ${parameter(subject)}, ${parameter(triedAt)})`,
      )
      await execute(
        connection,
        sql`insert into gatehouse_logon_attempt (id, subject, tried_at) values ${join(rows, ', ')}`,
      )
    },
    async counts(connection, subjects, since) {
      const names = join(
        subjects.map((subject) => parameter<SqlValue>(subject)),
        ', ',
      )
      const rows = await query(
        connection,
        sql`select subject, count(*), min(tried_at) from gatehouse_logon_attempt where subject in (${names}) and tried_at > ${parameter(since)} group by subject`,
      )
      return new Map(
        rows.map(([subject, number, first]) => [
          textOf(subject),
          { number: Number(number), first: textOf(first) },
        ]),
      )
    },
    async removeBefore(connection, timestamp) {
      await execute(
        connection,
        sql`delete from gatehouse_logon_attempt where tried_at <= ${parameter(timestamp)}`,
      )
    },
  }
}
