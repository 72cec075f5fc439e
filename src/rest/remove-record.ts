import type { Connection } from '../database/driver.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import { rowKeyIn, rowToChange } from './find-record.ts'
import type { Conditions, RestAnswer, RestParts } from './rest-parts.ts'
import { runMutate } from './run-mutate.ts'

/** `DELETE` of one record; refused while others refer to it. */
export async function removeRecord(
  entity: PublishedEntity,
  identifier: string,
  conditions: Conditions,
  { database: { dialect, driver }, waiter }: RestParts,
): Promise<RestAnswer> {
  const { table } = entity
  const remove = async (connection: Connection) => {
    const { row } = await rowToChange({ entity, identifier, conditions }, connection, dialect)
    await runMutate({ kind: 'delete', table, key: rowKeyIn(row, entity) }, connection, dialect)
  }
  await driver.transaction(remove, { waiter })
  return { status: 204, headers: {} }
}
