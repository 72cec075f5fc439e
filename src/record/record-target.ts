/** The record that a call addresses. */
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import type { RowLock } from '../database/syntax.ts'
import { AppError } from '../errors/app-error.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { layoutOf } from './record-layout.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { selectRow } from './select-rows.ts'

/** A record by its key. */
export interface RecordTarget {
  readonly entity: PublishedEntity
  /** The key as written by the caller, for messages. */
  readonly identifier: string
  /** Undefined if no record can have such a key. */
  readonly key: RowKey | undefined
}

/** The caller's precondition for a change of a record. */
export interface Precondition {
  /** Whether the caller has seen the record: if it is gone, that is PRECONDITION_FAILED. */
  readonly hasSeenRecord: boolean
  /** Throws PRECONDITION_FAILED if the record, by its JSON text, does not meet the precondition. */
  assert(text: string): void
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
  return selectRow({ table: entity.table, columns, key, ...(lock && { lock }) }, connection, dialect)
}

/**
 * The locked row of a record that is about to change, and its JSON text. No one else can change it until the transaction
 * ends. Throws RECORD_NOT_FOUND, and PRECONDITION_FAILED.
 */
export async function lockRecord(
  target: RecordTarget,
  precondition: Precondition,
  connection: Connection,
  dialect: Dialect,
): Promise<{ readonly row: Row; readonly text: string }> {
  const row = await findRow(target, connection, dialect, 'exclusive')
  if (row === undefined) throw missingRecord(target, precondition.hasSeenRecord)
  const text = layoutOf(target.entity).write(row)
  precondition.assert(text)
  return { row, text }
}

/** RECORD_NOT_FOUND, or PRECONDITION_FAILED if the caller has seen the record. */
export function missingRecord({ entity, identifier }: RecordTarget, hasSeenRecord = false): AppError {
  const { name, rules } = entity
  const advice =
    identifier === ''
      ? ' The path ends in a slash: write the identifier after it, or leave out the slash for the list.'
      : ''
  const detail = `There is no ${name} whose ${rules.key.join(', ')} is ${JSON.stringify(identifier)}.${advice}`
  return new AppError(hasSeenRecord ? 'PRECONDITION_FAILED' : 'RECORD_NOT_FOUND', { detail })
}

/** The key by which a change finds this row. */
export function rowKeyIn(row: Row, entity: PublishedEntity): RowKey {
  const layout = layoutOf(entity)
  return rowKeyOf(entity).map((column) => ({ column, value: row[layout.positionOf(column)] ?? null }))
}
