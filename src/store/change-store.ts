import type { Connection } from '../database/driver.ts'
import { sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** Tells nodes that records have changed. */
export interface ChangeStore {
  /** To be called in the transaction of a change that other nodes must hear of. */
  note(connection: Connection): Promise<void>
  /** Another text than before when something was noted. */
  version(connection: Connection): Promise<string>
}

export function createChangeStore({ query, execute }: Statements): ChangeStore {
  return {
    async note(connection) {
      await execute(connection, sql`update gatehouse_change set version = version + 1 where id = 1`)
    },
    async version(connection) {
      const [row] = await query(connection, sql`select version from gatehouse_change where id = 1`)
      return textOf(row?.[0])
    },
  }
}
