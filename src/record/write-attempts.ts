import { AppError } from '../errors/app-error.ts'
import { noRows, type RecordRights, type WriteGrant } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'

/** The errors after which other rights may let the same write through. */
const furtherCodes: readonly string[] = ['ROW_NOT_ALLOWED', 'FIELD_NOT_ALLOWED', 'RECORD_INVALID']
/** The same, of a record that only other rights reach. */
const absenceCodes: readonly string[] = ['RECORD_NOT_FOUND', 'PRECONDITION_FAILED']

/**
 * Tries a write first with the rights that set nothing, then with each that does, in order, until one lets it through. An
 * attempt that fails must leave nothing behind. Throws the error of the last attempt that found the record.
 */
export async function inAttempts<Result>(
  entity: PublishedEntity,
  write: (entity: PublishedEntity) => Promise<Result>,
): Promise<Result> {
  const { rights } = entity
  if (rights?.write === undefined || rights.write.every(({ set }) => set.size === 0)) return write(entity)
  const plain = rights.write.filter(({ set }) => set.size === 0)
  const setting = rights.write.filter(({ rows, set }) => set.size > 0 && rows !== noRows)
  const isPlainTried = plain.length > 0 || setting.length === 0
  const attempts = [...(isPlainTried ? [plain] : []), ...setting.map((grant) => [...plain, grant])]
  let failure: unknown
  for (const grants of attempts) {
    try {
      return await write({ ...entity, rights: withWrite(rights, grants) })
    } catch (error) {
      const code = error instanceof AppError ? error.code : ''
      const isAbsent = absenceCodes.includes(code)
      if (!(isAbsent || furtherCodes.includes(code))) throw error
      if (!isAbsent || failure === undefined) failure = error
    }
  }
  throw failure
}

/** The values that the filters name grow with the filters that are asked for. */
function withWrite(rights: RecordRights, write: readonly WriteGrant[]): RecordRights {
  return {
    read: rights.read,
    write,
    rowsOf: (table) => rights.rowsOf(table),
    get variables() {
      return rights.variables
    },
  }
}
