import type { Database } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { raw, render, sql } from '../database/sql.ts'
import type { Observer } from '../observe/events.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'

/** What the functions of this folder work with. */
export interface EntityParts {
  /** Where the tables are; the store is in the same one. */
  readonly database: Database
  readonly store: Pick<Store, 'entities' | 'audit'>
  readonly now: Clock
  /** Gives ids that sort by time. */
  readonly nextId: () => string
  /** Gives random UUIDs. */
  readonly uuid: () => string
  readonly observe: Observer
}

/** Who changes entities, and by which request. */
export interface Uploader {
  /** The username. */
  readonly account: string
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** Writes to the audit that an entity was changed, in the transaction of the change. */
export async function auditEntity(
  connection: Connection,
  { store, now, nextId }: EntityParts,
  uploader: Uploader,
  change: {
    readonly action: 'created' | 'changed' | 'deleted'
    readonly name: string
    readonly detail: string
  },
): Promise<void> {
  const happenedAt = now().toISOString()
  await store.audit.append(connection, { ...uploader, ...change, id: nextId(), happenedAt, record: 'entity' })
}

/** How many rows a table has. */
export async function countRows(
  connection: Connection,
  { dialect }: Database,
  table: string,
): Promise<number> {
  const { quoteIdentifier, placeholder } = dialect.syntax
  const [row] = await connection.query(
    render(sql`select count(*) from ${raw(quoteIdentifier(table))}`, placeholder),
  )
  return Number(row?.[0])
}
