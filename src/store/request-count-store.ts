import { DatabaseError } from '../database/database-error.ts'
import type { Connection, Driver } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { Statements } from './statements.ts'

/** A reservation of `wanted` requests of an account in the window that begins at `start`, in seconds since 1970. */
interface RequestShare {
  readonly account: string
  readonly start: number
  readonly wanted: number
  /** The limit of the window. */
  readonly limit: number
}

/** How many requests accounts have made, counted by the database, so that all nodes count together. */
export interface RequestCountStore {
  /**
   * Reserves as many as wanted, or as are left. If another node is already in a later window, they come from that one.
   * Never more than `limit` are reserved from one window.
   */
  take(
    driver: Pick<Driver, 'transaction'>,
    share: RequestShare,
  ): Promise<{ readonly granted: number; readonly left: number }>
  /** To be called with the removal of an account. */
  removeOf(connection: Connection, account: string): Promise<void>
}

interface Count {
  readonly start: number
  readonly used: number
}

/** The counts in the table `gatehouse_request_count`: a row for each account, for its last window. */
export function createRequestCountStore({ query, execute }: Statements): RequestCountStore {
  async function find(connection: Connection, account: string): Promise<Count | undefined> {
    const [row] = await query(
      connection,
      sql`select window_start, used from gatehouse_request_count where account = ${parameter(account)}`,
    )
    return row === undefined ? undefined : { start: Number(row[0]), used: Number(row[1]) }
  }

  /** Undefined if another node was faster. */
  async function tryToTake(connection: Connection, { account, start, wanted, limit }: RequestShare) {
    const before = await find(connection, account)
    const isNew = before === undefined || before.start < start
    const window = isNew ? start : before.start
    const used = isNew ? 0 : before.used
    const granted = Math.max(0, Math.min(wanted, limit - used))
    const left = Math.max(0, limit - used - granted)
    if (granted === 0) return { granted, left }
    const changed =
      before === undefined
        ? await execute(
            connection,
            sql<SqlValue>`insert into gatehouse_request_count (account, window_start, used) values (${parameter(account)}, ${parameter(window)}, ${parameter(granted)})`,
          )
        : await execute(
            connection,
            sql<SqlValue>`update gatehouse_request_count set window_start = ${parameter(window)}, used = ${parameter(used + granted)} where account = ${parameter(account)} and window_start = ${parameter(before.start)} and used = ${parameter(before.used)}`,
          )
    return changed === 1 ? { granted, left } : undefined
  }

  return {
    async take(driver, share) {
      for (;;) {
        try {
          const taken = await driver.transaction((connection) => tryToTake(connection, share))
          if (taken !== undefined) return taken
        } catch (error) {
          if (!(error instanceof DatabaseError && error.kind === 'uniqueViolation')) throw error
        }
      }
    },
    async removeOf(connection, account) {
      await execute(
        connection,
        sql`delete from gatehouse_request_count where account = ${parameter(account)}`,
      )
    },
  }
}
