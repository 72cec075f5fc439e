/** The record that a call addresses. */
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowLock } from '../database/syntax.ts'
import { AppError } from '../errors/app-error.ts'
import type { Precondition } from '../http/etag.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { admittingGrants, readableTexts, rowNotAllowed, writerOf } from './permitted-rows.ts'
import { layoutOf, rowKeyIn } from './record-layout.ts'
import type { WriteGrant } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'
import { selectRow } from './select-rows.ts'

/** A record by its key. */
export interface RecordTarget {
  readonly entity: PublishedEntity
  /** The key as written by the caller, for messages. */
  readonly identifier: string
  /** What the identifier is, where it is not the key. */
  readonly identifiedBy?: string
  /** Undefined if no record can have such a key. */
  readonly key: RowKey | undefined
}

/** The row of a record; undefined if there is none. */
export async function findRow(
  { entity, key }: RecordTarget,
  connection: Connection,
  dialect: Dialect,
  lock?: RowLock,
): Promise<Row | undefined> {
  if (key === undefined) return undefined
  const { columns } = layoutOf(entity)
  const selection = { table: entity.table, columns, key, reader: writerOf(entity), ...(lock && { lock }) }
  return selectRow(selection, connection, dialect)
}

/** A record that is about to change. */
export interface FoundRecord {
  /** All of its row. */
  readonly row: Row
  /** Its JSON text as the caller may read it. */
  readonly text: string
  /** What of the caller's rights to write admits it; undefined for everything. */
  readonly grants: readonly WriteGrant[] | undefined
}

/**
 * The locked row of a record that is about to change. No one else can change it until the transaction ends. Throws
 * RECORD_NOT_FOUND, PRECONDITION_FAILED, and ROW_NOT_ALLOWED for a record that the caller may only read.
 */
export async function lockRecord(
  target: RecordTarget,
  precondition: Precondition,
  connection: Connection,
  dialect: Dialect,
): Promise<FoundRecord> {
  const row = await findRow(target, connection, dialect, 'exclusive')
  return recordOf(row, target, precondition, connection, dialect)
}

/** The same for a row that was found without a lock, or was not found. */
export async function recordOf(
  row: Row | undefined,
  target: RecordTarget,
  precondition: Precondition,
  connection: Connection,
  dialect: Dialect,
): Promise<FoundRecord> {
  const { entity } = target
  if (row === undefined) throw missingRecord(target, precondition.hasSeenRecord)
  const key = rowKeyIn(row, entity)
  const [text = '{}'] = await readableTexts([key], [row], entity, connection, dialect)
  precondition.assert(text)
  const [grants] = await admittingGrants([key], entity, connection, dialect)
  if (grants?.length === 0) throw rowNotAllowed('The caller may read this record, and not change it.')
  return { row, text, grants }
}

/** RECORD_NOT_FOUND, or PRECONDITION_FAILED if the caller has seen the record. */
export function missingRecord(
  { entity, identifier, identifiedBy }: RecordTarget,
  hasSeenRecord = false,
): AppError {
  const { name, rules } = entity
  const named = identifiedBy ?? rules.key.join(', ')
  const advice =
    identifier === ''
      ? ' The path ends in a slash: write the identifier after it, or leave out the slash for the list.'
      : ''
  const detail = `There is no ${name} whose ${named} is ${JSON.stringify(identifier)}.${advice}`
  return new AppError(hasSeenRecord ? 'PRECONDITION_FAILED' : 'RECORD_NOT_FOUND', { detail })
}
