import type { Connection } from '../database/driver.ts'
import type { Listening, Notices } from '../database/notices.ts'
import { parameter, sql } from '../database/sql.ts'
import { type Statements, textOf } from './statements.ts'

/** What has changed: roles, accounts and API routes; tokens that were ended; the tables that are served. */
export type ChangeKind = 'records' | 'tokens' | 'schema'

/** A text for each kind, which differs from before if something of that kind has changed. */
export type ChangeVersions = Readonly<Record<ChangeKind, string>>

/** Notifies nodes of changes. */
export interface ChangeStore {
  /** To be called in the transaction of a change that other nodes must learn of. */
  note(connection: Connection, kind: ChangeKind): Promise<void>
  versions(connection: Connection): Promise<ChangeVersions>
  /** Calls `heard` soon after a change, if the database can notify; otherwise the caller has to poll. */
  listen(heard: () => void): Listening
}

const rows: Readonly<Record<ChangeKind, number>> = { records: 1, tokens: 2, schema: 3 }

export function createChangeStore({ query, execute }: Statements, notices: Notices | undefined): ChangeStore {
  return {
    async note(connection, kind) {
      await execute(
        connection,
        sql`update gatehouse_change set version = version + 1 where id = ${parameter(rows[kind])}`,
      )
      await notices?.send(connection)
    },
    async versions(connection) {
      const found = await query(connection, sql`select id, version from gatehouse_change`)
      const versionOf = (row: number) => textOf(found.find(([id]) => Number(id) === row)?.[1])
      return {
        records: versionOf(rows.records),
        tokens: versionOf(rows.tokens),
        schema: versionOf(rows.schema),
      }
    },
    listen: (heard) => notices?.listen(heard) ?? { stop: async () => undefined },
  }
}
