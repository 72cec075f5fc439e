import { DatabaseError } from './database-error.ts'
import type { Connection } from './driver.ts'

/**
 * Runs a part of a transaction: if it throws, this part is rolled back, and the rest stays. Parts inside of each other need
 * different names. If the database has rolled back the whole transaction, its own error is thrown.
 */
export async function inSavepoint<Result>(
  connection: Connection,
  work: () => Promise<Result>,
  name: 'part' | 'list' | 'attempt' = 'part',
): Promise<Result> {
  const run = (sql: string) => connection.execute({ sql, parameters: [] })
  await run(`savepoint ${name}`)
  let result: Result
  try {
    result = await work()
  } catch (error) {
    try {
      await run(`rollback to savepoint ${name}`)
    } catch (failure) {
      throw error instanceof DatabaseError ? error : failure
    }
    throw error
  }
  await run(`release savepoint ${name}`)
  return result
}
