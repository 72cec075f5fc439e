import { DatabaseError } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { RecordParts } from './record-parts.ts'
import { type RefusedChange, refusalOf } from './refusal-of.ts'

/** How the changes of one call are carried out. */
export type CarryOut = typeof inTransaction

/**
 * Carries out the changes of one call in one transaction: its own, or the enclosing one. Rules that the database checks at
 * commit refuse them like those that it checks at once. `changeMade` returns the change that was made by then.
 */
export async function inTransaction<Result>(
  work: (connection: Connection) => Promise<Result>,
  changeMade: () => RefusedChange,
  { database: { driver }, cancellation, enclosing }: RecordParts,
): Promise<Result> {
  try {
    if (enclosing === undefined) return await driver.transaction(work, { cancellation })
    const result = await work(enclosing.connection)
    enclosing.made(changeMade())
    return result
  } catch (error) {
    throw (error instanceof DatabaseError && refusalOf(error, changeMade())) || error
  }
}

/** The same, and undoes them: `work` is refused if it would be, and returns what it would. */
export const tryOut: CarryOut = async <Result>(
  work: (connection: Connection) => Promise<Result>,
  changeMade: () => RefusedChange,
  parts: RecordParts,
): Promise<Result> => {
  const { table } = changeMade()
  if (table.isPermanent) throw cannotBeTried(table.id)
  const { checkAtOnce } = parts.database.dialect.syntax
  let results: readonly Result[] = []
  const undone = new Error('What was tried is undone.')
  const attempt = async (connection: Connection) => {
    results = [await work(connection)]
    if (checkAtOnce !== undefined) await connection.execute({ sql: checkAtOnce, parameters: [] })
    throw undone
  }
  await inTransaction(attempt, changeMade, parts).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  const [result] = results
  invariant(result !== undefined, 'what was undone had been done')
  return result
}

function cannotBeTried(table: string): AppError {
  const detail = `dry_run needs a table whose changes can be undone, and the engine of ${table} has no transactions. Nothing was changed.`
  return new AppError('PARAMETER_INVALID', { detail })
}
