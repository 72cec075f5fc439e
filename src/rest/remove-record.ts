import { DatabaseError } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { assertChange } from './etag.ts'
import { findRow, missing, type RecordToChange, rowKeyIn, rowToChange } from './find-record.ts'
import { inTransaction } from './in-transaction.ts'
import { layoutOf } from './record-layout.ts'
import type { Conditions, RestAnswer, RestParts } from './rest-parts.ts'
import { runMutate } from './run-mutate.ts'

/** `DELETE` of one record; refused while others refer to it. */
export async function removeRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  parts: RestParts,
): Promise<RestAnswer> {
  const { table } = entity
  const { dialect } = parts.database
  const record = { entity, identifier, conditions }
  const remove = async (connection: Connection) => {
    const { row } = await rowToChange(record, connection, dialect)
    await runMutate({ kind: 'delete', table, key: rowKeyIn(row, entity) }, connection, dialect)
  }
  const change = () => ({ kind: 'delete', table }) as const
  try {
    await inTransaction(remove, change, parts)
  } catch (error) {
    if (!(error instanceof DatabaseError && error.kind === 'denied')) throw error
    await inTransaction((connection) => removeWithoutLock(record, connection, parts), change, parts)
  }
  return { status: 204, headers: {} }
}

/**
 * For a user of the database who may delete rows and not lock them, which on some products takes the privilege to update
 * them: the row is deleted, which keeps others away from it, and what it was then decides whether it stays deleted.
 */
async function removeWithoutLock(
  { entity, identifier, conditions }: RecordToChange,
  connection: Connection,
  { database: { dialect } }: RestParts,
): Promise<void> {
  const { table } = entity
  const { columns, write } = layoutOf(entity)
  const read = await findRow(entity, identifier, connection, dialect)
  const [row] =
    read === undefined
      ? []
      : await runMutate(
          { kind: 'delete', table, key: rowKeyIn(read, entity), returning: columns },
          connection,
          dialect,
        )
  if (row === undefined) throw missing(entity, identifier, conditions.ifMatch !== undefined)
  assertChange(conditions, write(row))
}
