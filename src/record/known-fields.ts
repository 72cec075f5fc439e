/** The database may refuse a write for columns that the caller does not know of: keys of several columns, and defaults. */
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, type Mistake } from '../errors/app-error.ts'
import { isKnown } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'
import { isRefusal } from './refusal-of.ts'

/** Does work whose refusals by the database name only fields that the caller knows of. */
export async function namingKnownFields<Result>(
  entity: PublishedEntity,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isRefusal(error) ? withoutUnknown(error, entity) : error
  }
}

function withoutUnknown(error: AppError, { table, rights }: PublishedEntity): AppError {
  const { code, mistakes, cause } = error
  const unknown = [...table.columns.keys()]
    .filter((name) => !isKnown(rights, name))
    .map((name) => jsonPointer([name]))
  const endOf = ({ pointer }: Mistake) => unknown.find((end) => pointer.endsWith(end))
  const known = mistakes.filter((mistake) => endOf(mistake) === undefined)
  if (known.length === mistakes.length) return error
  // Without any, the record has the mistake.
  const ofRecord = mistakes.slice(0, 1).map((mistake) => ({
    ...mistake,
    pointer: mistake.pointer.slice(0, -(endOf(mistake)?.length ?? 0)),
  }))
  return new AppError(code, { mistakes: known.length > 0 ? known : ofRecord, cause })
}
