import { AppError } from '../errors/app-error.ts'
import { separately } from './enclosing-transaction.ts'
import type { RecordParts } from './record-parts.ts'
import type { RecordRights, WriteGrant } from './record-rights.ts'
import type { PublishedEntity } from './record-rules.ts'

/** The errors after which other rights may let the same write through. */
const furtherCodes: readonly string[] = ['ROW_NOT_ALLOWED', 'FIELD_NOT_ALLOWED', 'RECORD_INVALID']
/** The same, of a record that only other rights reach. */
const absenceCodes: readonly string[] = ['RECORD_NOT_FOUND', 'PRECONDITION_FAILED']

/** Some of the caller's rights to write; undefined for everything. */
export type Attempt = readonly WriteGrant[] | undefined

/**
 * The rights with which a record is tried to be written, in order: first those that set nothing, then the same with each
 * that does.
 */
export function attemptsOf({ rights }: Pick<PublishedEntity, 'rights'>): readonly Attempt[] {
  const write = rights?.write
  if (write === undefined || write.every(({ set }) => set.size === 0)) return [write]
  const plain = write.filter(({ set }) => set.size === 0)
  const setting = write.filter(({ set }) => set.size > 0)
  const isPlainTried = plain.length > 0 || setting.length === 0
  return [...(isPlainTried ? [plain] : []), ...setting.map((grant) => [...plain, grant])]
}

/** Whether other rights may let a write through after this error. */
export function mayBeLetThrough(error: unknown): error is AppError {
  return error instanceof AppError && furtherCodes.includes(error.code)
}

/**
 * Tries the change of a record with the rights of each attempt, until one lets it through. `write` must be a transaction of its
 * own, or part of the enclosing one. Throws the error of the last attempt that found the record.
 */
export async function inAttempts<Result>(
  entity: PublishedEntity,
  { enclosing }: Pick<RecordParts, 'enclosing'>,
  write: (entity: PublishedEntity) => Promise<Result>,
): Promise<Result> {
  const { rights } = entity
  const attempts = attemptsOf(entity)
  if (rights === undefined || attempts.length === 1) return write(restrictedTo(attempts[0], entity))
  let failure: unknown
  for (const attempt of attempts) {
    try {
      return await separately('attempt', enclosing, () => write(restrictedTo(attempt, entity)))
    } catch (error) {
      const isAbsent = error instanceof AppError && absenceCodes.includes(error.code)
      if (!(isAbsent || mayBeLetThrough(error))) throw error
      if (!isAbsent || failure === undefined) failure = error
    }
  }
  throw failure
}

/** The entity with the rights to write of an attempt alone. */
export function restrictedTo(attempt: Attempt, entity: PublishedEntity): PublishedEntity {
  const { rights } = entity
  if (rights === undefined || attempt === undefined || attempt === rights.write) return entity
  return { ...entity, rights: withWrite(rights, attempt) }
}

/** The values that the filters name grow with the filters that are asked for. */
function withWrite(rights: RecordRights, write: readonly WriteGrant[]): RecordRights {
  return {
    read: rights.read,
    write,
    rowsOf: (table) => rights.rowsOf(table),
    variables: () => rights.variables(),
  }
}
