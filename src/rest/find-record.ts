import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row } from '../database/driver.ts'
import type { RowLock } from '../database/syntax.ts'
import { AppError } from '../errors/app-error.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { type PublishedEntity, rowKeyOf } from '../query/write-rules.ts'
import { assertChange, assertMatch, etagOf, isKnown } from './etag.ts'
import { keyInPath } from './record-address.ts'
import { layoutOf } from './record-layout.ts'
import type { Conditions, RestAnswer, RestParts } from './rest-parts.ts'
import { selectRow } from './select-rows.ts'

/** `GET` of one record. */
export async function findRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  { database: { dialect, driver }, waiter }: RestParts,
): Promise<RestAnswer> {
  const row = await driver.read((connection) => findRow(entity, identifier, connection, dialect), {
    single: true,
    waiter,
  })
  if (row === undefined) throw missing(entity, identifier)
  const body = layoutOf(entity).write(row)
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  return isKnown(conditions.ifNoneMatch, body) ? { status: 304, headers } : { status: 200, headers, body }
}

/**
 * The row of a record that is about to change, and its text. Nobody else changes the record until the transaction ends, so
 * that what is decided by them holds. Throws RECORD_NOT_FOUND, and PRECONDITION_FAILED where the change is not wanted.
 */
export async function rowToChange(
  { entity, identifier, conditions }: RecordToChange,
  connection: Connection,
  dialect: Dialect,
): Promise<{ readonly row: Row; readonly text: string }> {
  const row = await findRow(entity, identifier, connection, dialect, 'exclusive')
  // Whoever names a state that the record had is told that it has another one now, be it that it is gone.
  if (row === undefined) throw missing(entity, identifier, conditions.ifMatch !== undefined)
  const text = layoutOf(entity).write(row)
  assertChange(conditions, text)
  return { row, text }
}

/** A record that is about to change, by its identifier as it is written in a path. */
export interface RecordToChange {
  readonly entity: PublishedEntity
  readonly identifier: string
  readonly conditions: Conditions
}

/** The row of a record; undefined where there is none. */
export async function findRow(
  entity: PublishedEntity,
  identifier: string,
  connection: Connection,
  dialect: Dialect,
  lock?: RowLock,
): Promise<Row | undefined> {
  const key = keyInPath(entity, identifier)
  if (key === undefined) return undefined
  const { table } = entity
  const { columns } = layoutOf(entity)
  return selectRow({ table, columns, key, ...(lock && { lock }) }, connection, dialect)
}

/** RECORD_NOT_FOUND, or PRECONDITION_FAILED where the record was expected to be there. */
export function missing({ name, rules }: PublishedEntity, identifier: string, isExpected = false): AppError {
  const detail = `There is no ${name} whose ${rules.key.join(', ')} is ${JSON.stringify(identifier)}.`
  return new AppError(isExpected ? 'PRECONDITION_FAILED' : 'RECORD_NOT_FOUND', { detail })
}

/** What a change means a row by. */
export function rowKeyIn(row: Row, entity: PublishedEntity): RowKey {
  const layout = layoutOf(entity)
  return rowKeyOf(entity).map((column) => ({ column, value: row[layout.positionOf(column)] ?? null }))
}
