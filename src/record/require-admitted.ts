import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { type CheckedNewRecords, type NewRecords, nextChoices } from './new-records.ts'
import { FieldRefusals, mayWrite } from './permitted-document.ts'
import { admittingGrants } from './permitted-rows.ts'
import type { PublishedEntity } from './record-rules.ts'
import { RefusedWithRights } from './refused-with-rights.ts'

/**
 * Throws ROW_NOT_ALLOWED if a new record is not admitted by the rights it was created with, and FIELD_NOT_ALLOWED if those
 * that admit it do not give a field that was sent; `RefusedWithRights` if other rights may let the records through.
 */
export async function requireAdmitted(
  keys: readonly RowKey[],
  records: NewRecords,
  { checked, choices }: CheckedNewRecords,
  {
    entity,
    connection,
    dialect,
  }: { readonly entity: PublishedEntity; readonly connection: Connection; readonly dialect: Dialect },
): Promise<void> {
  if (entity.rights?.write === undefined) return
  const notAdmitted: Mistake[] = []
  const refused = new Set<number>()
  const refusals = new FieldRefusals()
  const admitting = await admittingGrants(keys, entity, connection, dialect)
  const triedIn = new Map(records.attempts.map((attempt) => [attempt, new Set(attempt)]))
  for (const [index, { path, grants: attempt = [] }] of checked.entries()) {
    const tried = triedIn.get(attempt)
    const grants = admitting[index]?.filter((grant) => tried?.has(grant)) ?? []
    const set = attempt.flatMap((grant) => [...grant.set.keys()])
    if (grants.length === 0 || !set.every((name) => mayWrite(name, grants))) {
      const detail = 'The rights of the caller do not admit such a record.'
      notAdmitted.push({ pointer: jsonPointer(path), detail })
      refused.add(index)
      continue
    }
    for (const name of Object.keys(records.documents[index] as object)) {
      if (mayWrite(name, grants)) continue
      refusals.add(path, name, 'The caller may not write this field. Leave it out.')
      refused.add(index)
    }
  }
  if (refused.size === 0) return
  const refusal =
    notAdmitted.length > 0
      ? new AppError('ROW_NOT_ALLOWED', { mistakes: notAdmitted.slice(0, toldMistakes) })
      : refusals.error
  const next = nextChoices(choices, refused, records)
  throw next === undefined ? refusal : new RefusedWithRights(refusal, next)
}
