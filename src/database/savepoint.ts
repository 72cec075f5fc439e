import type { Connection } from './driver.ts'

/** Runs a part of a transaction: if it throws, this part is rolled back, and the rest stays. */
export async function inSavepoint(connection: Connection, work: () => Promise<void>): Promise<void> {
  const run = (sql: string) => connection.execute({ sql, parameters: [] })
  await run('savepoint part')
  try {
    await work()
  } catch (error) {
    await run('rollback to savepoint part')
    throw error
  }
  await run('release savepoint part')
}
