import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { Row } from '../database/sql-value.ts'
import type { TableChange } from '../database/table-change.ts'
import type { AuditEntry } from './audit-store.ts'
import type { EntityRemovalNote, StoredEntity } from './entity-store.ts'
import { type Statements, textOf } from './statements.ts'

/**
 * The state of an upload. `making`: changes that can be undone are being made. `finishing`: its definitions are in
 * effect, and destructive changes are being made. `undoing`: it failed, and its changes are being undone.
 */
export type UploadState = 'making' | 'finishing' | 'undoing' | 'done' | 'undone'

/** Everything that any node needs to complete an upload. */
export interface UploadWork {
  /** In their order. */
  readonly changes: readonly TableChange[]
  /** The index in `changes` from which nothing is undone. */
  readonly finalFrom: number
  /** The definitions that take effect when it is done. */
  readonly saved: readonly StoredEntity[]
  /** The entities that are removed then. */
  readonly removed: readonly EntityRemovalNote[]
  readonly audit: readonly AuditEntry[]
}

/** Whether there is nothing to do. */
export function isEmpty({ changes, saved, removed }: UploadWork): boolean {
  return changes.length === 0 && saved.length === 0 && removed.length === 0
}

/** An entry of the journal of uploads. */
export interface UploadEntry extends UploadWork {
  /** Sorts by time. */
  readonly id: string
  readonly state: UploadState
  /** How many statements were run in this state. */
  readonly stepsDone: number
  /** Username of the uploader. */
  readonly account: string
  readonly requestId: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
}

/** The current uploader: a name, and a heartbeat number. */
export interface UploadLease {
  readonly holder: string
  readonly beat: string
}

/** The journal of uploads, and the lease of its uploader. */
export interface UploadStore {
  append(connection: Connection, entry: UploadEntry): Promise<void>
  advance(connection: Connection, id: string, state: UploadState, stepsDone: number): Promise<void>
  /** The unfinished upload; there is at most one. */
  unfinished(connection: Connection): Promise<UploadEntry | undefined>
  lease(connection: Connection): Promise<UploadLease>
  /** Takes the lease. */
  hold(connection: Connection, holder: string): Promise<void>
  /** A heartbeat of the holder; false if another one holds the lease. */
  beat(connection: Connection, holder: string): Promise<boolean>
}

/** The tables `gatehouse_upload` and `gatehouse_upload_lease`. */
export function createUploadStore({ query, execute }: Statements): UploadStore {
  return {
    async append(connection, { id, state, stepsDone, account, requestId, startedAt, ...work }) {
      await execute(
        connection,
        sql`insert into gatehouse_upload (id, state, steps_done, account, request_id, started_at, work) values (${parameter(id)}, ${parameter(state)}, ${parameter(String(stepsDone))}, ${parameter(account)}, ${parameter(requestId)}, ${parameter(startedAt)}, ${parameter(JSON.stringify(work))})`,
      )
    },
    async advance(connection, id, state, stepsDone) {
      await execute(
        connection,
        sql`update gatehouse_upload set state = ${parameter(state)}, steps_done = ${parameter(String(stepsDone))} where id = ${parameter(id)}`,
      )
    },
    async unfinished(connection) {
      const [row] = await query(
        connection,
        sql`select id, state, steps_done, account, request_id, started_at, work from gatehouse_upload where state in ('making', 'finishing', 'undoing') order by id`,
      )
      return row && entryOf(row)
    },
    async lease(connection) {
      const [row] = await query(connection, sql`select holder, beat from gatehouse_upload_lease where id = 1`)
      return { holder: textOf(row?.[0]), beat: textOf(row?.[1]) }
    },
    async hold(connection, holder) {
      await execute(
        connection,
        sql`update gatehouse_upload_lease set holder = ${parameter(holder)}, beat = beat + 1 where id = 1`,
      )
    },
    async beat(connection, holder) {
      const changed = await execute(
        connection,
        sql`update gatehouse_upload_lease set beat = beat + 1 where id = 1 and holder = ${parameter(holder)}`,
      )
      return changed > 0
    },
  }
}

function entryOf([id, state, stepsDone, account, requestId, startedAt, work]: Row): UploadEntry {
  return {
    id: textOf(id),
    state: textOf(state) as UploadState,
    stepsDone: Number(stepsDone),
    account: textOf(account),
    requestId: textOf(requestId),
    startedAt: textOf(startedAt),
    ...(JSON.parse(textOf(work)) as UploadWork),
  }
}
