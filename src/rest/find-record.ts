import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row, SqlValue } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { isWellFormedText } from '../util/well-formed-text.ts'
import { assertMatch, etagOf, isKnown } from './etag.ts'
import { layoutOf } from './record-layout.ts'
import type { Conditions, RestAnswer, RestParts } from './rest-parts.ts'
import { selectRows } from './select-rows.ts'

/** `GET` of one record. */
export async function findRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  { database: { dialect, driver } }: RestParts,
): Promise<RestAnswer> {
  const row = await driver.read((connection) => rowOf(entity, identifier, connection, dialect))
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
  const column = identifierColumn(entity)
  const value = identifierIn(column, identifier)
  const { columns } = layoutOf(entity)
  const [row] =
    value === undefined
      ? []
      : await selectRows({ table: entity.table, columns, column, values: [value] }, connection, dialect)
  if (row === undefined) {
    const detail = `There is no ${entity.name} whose ${column.name} is ${JSON.stringify(identifier)}.`
    throw new AppError('RECORD_NOT_FOUND', { detail })
  }
  return row
}

/** The column that finds a record. */
export function identifierColumn({ rules }: PublishedEntity): Column {
  const column = rules.fields.get(rules.identifier)?.column
  invariant(column !== undefined, 'the identifier of an entity with a table has a column')
  return column
}

function identifierIn({ type }: Column, text: string): SqlValue | undefined {
  if (type === 'string') return isWellFormedText(text) ? text : undefined
  return /^-?\d{1,10}$/.test(text) ? Number(text) : undefined
}
