import type { Database } from '../database/dialect.ts'
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import type { AuditEntry } from '../store/audit-store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { LeaseTimes } from './uploads/upload-lock.ts'

/** What the functions of this folder work with. */
export interface EntityParts {
  /** Where the tables are; only where the store is in the same one they can change. */
  readonly database: Database
  readonly store: Pick<
    Store,
    'entities' | 'audit' | 'changes' | 'uploads' | 'read' | 'transaction' | 'isSeparate'
  >
  readonly now: Clock
  /** Gives ids that sort by time. */
  readonly nextId: () => string
  /** Gives random UUIDs. */
  readonly uuid: () => string
  readonly observe: Observer
  /** How uploaders of several nodes wait for each other; absent for the usual times. */
  readonly lease?: LeaseTimes
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

/** The record in the audit of a change of an entity. */
export function auditOf(
  { now, nextId }: Pick<EntityParts, 'now' | 'nextId'>,
  uploader: Uploader,
  change: Pick<AuditEntry, 'action' | 'name' | 'detail'>,
): AuditEntry {
  const { account, address, requestId } = uploader
  return {
    id: nextId(),
    happenedAt: now().toISOString(),
    account,
    address,
    requestId,
    record: 'entity',
    ...change,
  }
}
