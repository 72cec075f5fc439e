import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { type PublishedEntity, rowKeyOf } from '../query/write-rules.ts'
import { assertMatch, etagOf, isKnown } from './etag.ts'
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
  const row = await driver.read((connection) => rowOf(entity, identifier, connection, dialect), {
    single: true,
    waiter,
  })
  const body = layoutOf(entity).write(row)
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  return isKnown(conditions.ifNoneMatch, body) ? { status: 304, headers } : { status: 200, headers, body }
}

/** The row of the record with an identifier, as it is written in a path. Throws RECORD_NOT_FOUND. */
export async function rowOf(
  entity: PublishedEntity,
  identifier: string,
  connection: Connection,
  dialect: Dialect,
): Promise<Row> {
  const { table, rules } = entity
  const key = keyInPath(entity, identifier)
  const { columns } = layoutOf(entity)
  const row = key && (await selectRow({ table, columns, key }, connection, dialect))
  if (row === undefined) {
    const detail = `There is no ${entity.name} whose ${rules.key.join(', ')} is ${JSON.stringify(identifier)}.`
    throw new AppError('RECORD_NOT_FOUND', { detail })
  }
  return row
}

/** What a change means a row by. */
export function rowKeyIn(row: Row, entity: PublishedEntity): RowKey {
  const layout = layoutOf(entity)
  return rowKeyOf(entity).map((column) => ({ column, value: row[layout.positionOf(column)] ?? null }))
}
