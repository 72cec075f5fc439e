import type { Database } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { Observer } from '../observe/events.ts'
import type { AuditEntry } from '../store/audit-store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { EntityDefinition } from './definition/entity-definition.ts'
import type { LeaseTimes } from './upload/lease-times.ts'

/** What the functions of this folder work with. */
export interface EntityParts {
  /** The database of the tables; they can change only if the store is in the same one. */
  readonly database: Database
  readonly store: Pick<
    Store,
    'entities' | 'givenNames' | 'audit' | 'changes' | 'uploads' | 'read' | 'transaction' | 'isSeparate'
  >
  readonly now: Clock
  /** Gives ids that sort by time. */
  readonly nextId: () => string
  /** Gives random UUIDs. */
  readonly uuid: () => string
  readonly observe: Observer
  /** How uploaders of several nodes wait for each other; absent for the default times. */
  readonly lease?: LeaseTimes
}

/** Who changes entities, and in which request. */
export interface Uploader {
  /** The username. */
  readonly account: string
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** The connections of an upload: the same one, unless the records are in another database. */
export interface Connections {
  /** To the database of the tables. */
  readonly tables: Connection
  /** To the gateway's own records. */
  readonly records: Connection
}

/** Two connections for reading. */
export function readBoth<Result>(
  { database, store }: Pick<EntityParts, 'database' | 'store'>,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  const { driver } = database
  return store.isSeparate
    ? store.read((records) => driver.read((tables) => work({ tables, records })))
    : driver.read((connection) => work({ tables: connection, records: connection }))
}

/** Tables and definitions change in one transaction, which takes one database; an adopted table does not change. */
export function assertTogether(
  definitions: readonly EntityDefinition[],
  { store }: Pick<EntityParts, 'store'>,
): void {
  if (!store.isSeparate || definitions.every(({ adopted }) => adopted !== undefined)) return
  throw new AppError('TABLE_CHANGE_REFUSED', { detail: apartDetail })
}

/** Why nothing is changed if the records are in another database. */
export const apartDetail =
  'The gateway keeps its records in another database (store_url), so that tables and definitions could not change together: only tables that are there can be adopted, and nothing is added to them. All tables of this database are served in GraphQL.'

/** The audit entry for a change of an entity. */
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
