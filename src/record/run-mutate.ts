import { DatabaseError } from '../database/database-error.ts'
import { NeedsResult } from '../database/deferred-connection.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import { compileMutate } from '../query/compile-mutate.ts'
import type { MutatePlan } from '../query/mutate-plan.ts'
import type { EnclosingTransaction } from './enclosing-transaction.ts'
import type { RecordParts } from './record-parts.ts'
import { refusalOf } from './refusal-of.ts'

/** Called if an update or delete has met no row: a trigger, rule or row policy of the table has decided about it. */
type IfUnmet = () => Promise<void>

/**
 * Carries out a change. In an enclosing transaction that leaves keys to the tables, it does not wait for a single statement: what is
 * read after it is sent together with it.
 */
export async function sendMutate(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
  parts: Pick<RecordParts, 'enclosing'>,
  ifUnmet?: IfUnmet,
): Promise<void> {
  const { enclosing } = parts
  requireDeferrable(plan, enclosing)
  const isSingle = plan.kind !== 'insert' || plan.rows.length === 1
  const mayGoOn = isSingle && plan.table.isPermanent !== true && enclosing?.keyChecks === 'byTable'
  const own =
    plan.kind === 'insert' && enclosing?.shown !== undefined ? { ...plan, shown: enclosing.shown } : plan
  const change = () => carryOut(own, connection, dialect, ifUnmet)
  if (mayGoOn) return enclosing.sent.send(change)
  await enclosing?.sent.settled()
  await change()
}

/** Carries out a change when the one that was sent before it is done; returns the requested columns of inserted or deleted rows. */
export async function runMutate(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
  { enclosing }: Pick<RecordParts, 'enclosing'>,
): Promise<readonly Row[]> {
  requireDeferrable(plan, enclosing)
  await enclosing?.sent.settled()
  return carryOut(plan, connection, dialect)
}

/** Throws `NeedsResult` in a deferred transaction, if only the table knows what it makes of the change. */
function requireDeferrable({ table }: MutatePlan, enclosing: EnclosingTransaction | undefined): void {
  if (enclosing?.isDeferred && table.isPlain !== true) throw new NeedsResult()
}

/** The keys of the table refuse a change with the same error as the checks, if these were left out or another writer was faster. */
async function carryOut(
  plan: MutatePlan,
  connection: Connection,
  dialect: Dialect,
  ifUnmet?: IfUnmet,
): Promise<readonly Row[]> {
  try {
    const { insertedKeys } = dialect.syntax
    const isTold = plan.kind !== 'update' && (plan.returning?.length ?? 0) > 0
    const told: Row[] = []
    for (const statement of compileMutate(plan, dialect)) {
      if (isTold && insertedKeys.by === 'returning') told.push(...(await connection.query(statement)))
      else if ((await connection.execute(statement)) === 0) await ifUnmet?.()
    }
    if (isTold && insertedKeys.by === 'lastNumber') {
      return await connection.query({ sql: insertedKeys.query, parameters: [] })
    }
    return told
  } catch (error) {
    throw (error instanceof DatabaseError && refusalOf(error, plan)) || error
  }
}
