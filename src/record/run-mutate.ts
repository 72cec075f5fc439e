import { DatabaseError } from '../database/database-error.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection, Row } from '../database/driver.ts'
import { compileMutate } from '../query/compile-mutate.ts'
import type { MutatePlan } from '../query/mutate-plan.ts'
import { refusalOf } from './refusal-of.ts'

/**
 * Carries out a change; gives what an insert or a delete was to tell of its rows. What the checks before it could not see,
 * because another writer was faster, the keys of the table find out; it is answered like what the checks find.
 */
export async function runMutate(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly Row[]> {
  try {
    const { insertedKeys } = dialect.syntax
    const isTold = plan.kind !== 'update' && (plan.returning?.length ?? 0) > 0
    const told: Row[] = []
    for (const statement of compileMutate(plan, dialect)) {
      if (isTold && insertedKeys.by === 'returning') told.push(...(await connection.query(statement)))
      else await connection.execute(statement)
    }
    if (isTold && insertedKeys.by === 'lastNumber') {
      return await connection.query({ sql: insertedKeys.query, parameters: [] })
    }
    return told
  } catch (error) {
    throw (error instanceof DatabaseError && refusalOf(error, plan)) || error
  }
}
