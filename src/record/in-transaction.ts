import { DatabaseError } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import type { RecordParts } from './record-parts.ts'
import { type RefusedChange, refusalOf } from './refusal-of.ts'

/**
 * Carries out the changes of one call in one transaction. Rules that the database checks at commit refuse them like those
 * that it checks at once. `changeMade` returns the change that was made by then.
 */
export async function inTransaction<Result>(
  work: (connection: Connection) => Promise<Result>,
  changeMade: () => RefusedChange,
  { database: { driver }, cancellation }: RecordParts,
): Promise<Result> {
  try {
    return await driver.transaction(work, { cancellation })
  } catch (error) {
    throw (error instanceof DatabaseError && refusalOf(error, changeMade())) || error
  }
}
