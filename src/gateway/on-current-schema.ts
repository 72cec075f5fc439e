import { DatabaseError } from '../database/database-error.ts'
import type { SchemaService } from './serve-schema.ts'

/** How often a request is begun, where the tables change under it. */
const attempts = 3

/** What requests need to know of the schema that is served. */
export type FollowedSchema = Pick<SchemaService, 'changed' | 'look'>

/**
 * Runs work that takes the schema of the moment. Where its statements were made for tables that are not there any more,
 * or not so, the schema is read and the work begun again, and so is what a deadlock has undone. A statement that the database
 * does not take may have been made for other columns: the catalogue is looked at. `isLast` says that work will not be begun
 * again; `toldByWork` that it has an answer then to an error of a statement, where it is thrown otherwise.
 */
export async function onCurrentSchema<Result>(
  schema: FollowedSchema,
  work: (isLast: boolean) => Promise<Result>,
  { toldByWork = false }: { readonly toldByWork?: boolean } = {},
): Promise<Result> {
  let isTold = false
  for (let attempt = 1; ; attempt += 1) {
    const isLast = isTold || attempt === attempts
    try {
      return await work(isLast)
    } catch (error) {
      if (!(error instanceof DatabaseError) || isLast) throw error
      if (error.kind === 'schemaChanged') await schema.changed()
      else if (error.kind === 'statement') {
        const isOther = await schema.look().catch(() => false)
        if (!isOther && !toldByWork) throw error
        isTold = !isOther
      }
      // A change of tables goes before the requests that are in its way.
      else if (error.kind !== 'deadlock') throw error
    }
  }
}
