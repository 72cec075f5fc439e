import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'
import { mayBeOutdated } from '../record/refusal-of.ts'
import type { SchemaService } from './serve-schema.ts'

/** How often a request is started if the tables change during it. */
const attempts = 3

/** The parts of the schema service that requests need. */
export interface FollowedSchema extends Pick<SchemaService, 'changed' | 'look'> {
  /** Another object after each reading, with another hash if the tables have changed. */
  current(): { readonly version: { readonly hash: string } }
}

/**
 * Runs work that uses the current schema. If its statements no longer fit the tables, the schema is read and the work
 * starts again; so does work that a deadlock has rolled back. If the database refuses a statement, or requires a value that was not
 * needed, the catalogue is checked for changed columns, unless the schema was read since the work began. `isLast` says that the work will
 * not start again; `toldByWork` that it then handles an error of a statement itself, which is otherwise thrown. Throws
 * DATABASE_UNAVAILABLE if the tables have changed in each attempt.
 */
export async function onCurrentSchema<Result>(
  schema: FollowedSchema,
  work: (isLast: boolean) => Promise<Result>,
  { toldByWork = false }: { readonly toldByWork?: boolean } = {},
): Promise<Result> {
  let isTold = false
  const hashes: string[] = []
  for (let attempt = 1; ; attempt += 1) {
    const begun = schema.current()
    hashes.push(begun.version.hash)
    const isChanging = attempt === attempts && hashes.every((hash, index) => hash !== hashes[index - 1])
    const isLast = isTold || (attempt === attempts && !isChanging)
    try {
      return await work(isLast)
    } catch (error) {
      const isOther = async () => schema.current() !== begun || (await schema.look().catch(() => false))
      const kind = error instanceof DatabaseError ? error.kind : undefined
      if (isLast) throw error
      if (isChanging) throw kind === 'schemaChanged' || kind === 'statement' ? changing(error) : error
      if (kind === 'schemaChanged') await schema.changed()
      else if (kind === 'statement' || mayBeOutdated(error)) {
        isTold = !(await isOther())
        if (isTold && !toldByWork) throw error
      }
      // A change of tables takes precedence over requests that block it.
      else if (kind !== 'deadlock') throw error
    }
  }
}

function changing(cause: unknown): AppError {
  return new AppError('DATABASE_UNAVAILABLE', {
    detail: 'Each time that this was tried, the tables were changed, so nothing was done. Try again.',
    headers: { 'retry-after': '1' },
    cause,
  })
}
