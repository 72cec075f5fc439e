import { DatabaseError } from '../database/database-error.ts'

/** How often a request is begun, where the tables change under it. */
const attempts = 3

/**
 * Runs work that takes the schema of the moment. Where its statements were made for tables that are not there any more,
 * or not so, the schema is read and the work begun anew, and so is what a deadlock has undone; `isLast` says that it will not be again.
 */
export async function onCurrentSchema<Result>(
  schemaChanged: () => Promise<void>,
  work: (isLast: boolean) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt === attempts)
    } catch (error) {
      if (!(error instanceof DatabaseError) || attempt === attempts) throw error
      if (error.kind === 'schemaChanged') await schemaChanged()
      // A change of tables goes before the requests that are in its way.
      else if (error.kind !== 'deadlock') throw error
    }
  }
}
