import { DatabaseError } from '../database/database-error.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import { compileMutate } from '../query/compile-mutate.ts'
import type { MutatePlan } from '../query/mutate-plan.ts'
import type { RecordParts } from './record-parts.ts'
import { refusalOf } from './refusal-of.ts'

/**
 * Carries out a change. In an enclosing transaction that leaves keys to the tables, it does not wait for a single statement: what is
 * read after it is sent together with it.
 */
export async function sendMutate(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
  { enclosing }: Pick<RecordParts, 'enclosing'>,
): Promise<void> {
  const isSingle = plan.kind !== 'insert' || plan.rows.length === 1
  const mayGoOn = isSingle && plan.table.isPermanent !== true && enclosing?.keyChecks === 'byTable'
  if (mayGoOn) await enclosing.sent.send(() => runMutate(plan, connection, dialect))
  else {
    await enclosing?.sent.settled()
    await runMutate(plan, connection, dialect)
  }
}

/**
 * Carries out a change; returns the requested columns of inserted or deleted rows. If a concurrent writer was faster than
 * the checks, the keys of the table refuse the change, with the same error as the checks.
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
