import type { Database } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { raw, render, sql } from '../database/sql.ts'
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'

/** What the functions of this folder work with. */
export interface EntityParts {
  /** Where the tables are; only where the store is in the same one they can change. */
  readonly database: Database
  readonly store: Pick<Store, 'entities' | 'audit' | 'changes' | 'read' | 'isSeparate'>
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

/** Tables and definitions change together or not at all, which takes one database. */
export function assertTogether({ store }: EntityParts): void {
  if (!store.isSeparate) return
  throw new AppError('TABLE_CHANGE_REFUSED', {
    detail:
      'The gateway keeps its records in another database (store_url), so that tables and definitions could not change together; entity definitions are not taken. The tables of this database are served in GraphQL.',
  })
}

/** Writes to the audit that an entity was changed, and for other nodes, in the transaction of the change. */
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
  await store.changes.note(connection)
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
