/** The records of a call that creates some: what was sent, and with which of the caller's rights each is created. */

import { mapInSlices } from '../util/time-slices.ts'
import { type Absence, checkRecord, defaultOrNull } from './check-record.ts'
import type { CheckedRecord } from './check-values.ts'
import { FieldRefusals, knownRules, permittedDocument } from './permitted-document.ts'
import { RecordMistakes, type RecordPath } from './record-mistakes.ts'
import type { RecordParts } from './record-parts.ts'
import { type FieldRule, isMadeKey, type PublishedEntity, type WriteRules } from './record-rules.ts'
import { type Attempt, restrictedTo } from './write-attempts.ts'

/** See the head of this file. */
export interface NewRecords {
  readonly documents: readonly unknown[]
  pathOf(index: number): RecordPath
  /** The rights that each record is tried with, in order, until some let it through: never none. */
  readonly attempts: readonly Attempt[]
}

/** By the index of a record: which of the attempts it is tried with. */
export type Choices = readonly number[]

/** New records whose values fit their fields, apart from the mistakes. */
export interface CheckedNewRecords {
  readonly choices: Choices
  readonly checked: readonly CheckedRecord[]
  readonly mistakes: RecordMistakes
}

/** Every record with the first attempt. */
export function firstChoices({ documents }: NewRecords): Choices {
  return documents.map(() => 0)
}

/** Refused records with their next attempt each; undefined if one of them has no other. */
export function nextChoices(
  choices: Choices,
  refused: ReadonlySet<number>,
  { attempts }: NewRecords,
): Choices | undefined {
  const last = attempts.length - 1
  // What the last attempt does not let through is refused, whatever the others are tried with.
  if (refused.size === 0 || [...refused].some((index) => choices[index] === last)) return undefined
  return choices.map((choice, index) => (refused.has(index) ? choice + 1 : choice))
}

/**
 * Checks each record by the rules that need no other one, with the attempt that is chosen for it, or else with the first
 * of those after it that lets it through. Throws FIELD_NOT_ALLOWED, and RECORD_INVALID if there are many mistakes.
 */
export async function checkNewRecords(
  { documents, pathOf, attempts }: NewRecords,
  choices: Choices,
  entity: PublishedEntity,
  parts: RecordParts,
): Promise<CheckedNewRecords> {
  const { rules } = entity
  const absent = absenceIn(entity, parts)
  const knownWith = new Map<
    Attempt,
    { readonly rights: PublishedEntity['rights']; readonly known: WriteRules }
  >()
  for (const attempt of attempts) {
    const { rights } = restrictedTo(attempt, entity)
    knownWith.set(attempt, { rights, known: knownRules({ rules, rights }) })
  }
  const valuesWith = (grants: Attempt, index: number, refusals: FieldRefusals, mistakes: RecordMistakes) => {
    const document = documents[index]
    const path = pathOf(index)
    const { rights, known = rules } = knownWith.get(grants) ?? {}
    const write = rights && grants && { rights, grants, current: undefined }
    const sent = write ? permittedDocument(document, path, rules, write, refusals, mistakes) : document
    if (mistakes.areMany) return new Map()
    return checkRecord(sent, path, { rules, known, current: undefined, absent, mistakes })
  }
  const mistakes = new RecordMistakes()
  const refusals = new FieldRefusals()
  const chosen = [...choices]
  const last = attempts.length - 1
  const checked = await mapInSlices(documents, (_, index): CheckedRecord => {
    const record = { path: pathOf(index), current: undefined }
    for (let choice = choices[index] ?? 0; choice < last && !mistakes.areMany; choice += 1) {
      const [own, ownRefusals] = [new RecordMistakes(), new FieldRefusals()]
      const grants = attempts[choice]
      const values = valuesWith(grants, index, ownRefusals, own)
      chosen[index] = choice
      if (own.areNone && ownRefusals.areNone) return { ...record, values, grants }
    }
    chosen[index] = last
    const grants = attempts[last]
    return { ...record, values: valuesWith(grants, index, refusals, mistakes), grants }
  })
  refusals.throwIfAny()
  if (mistakes.areMany) mistakes.throwIfAny()
  return { choices: chosen, checked, mistakes }
}

/** What a field gets that was not sent. */
function absenceIn(
  { rules }: PublishedEntity,
  { now, uuid, nextInstance, database }: RecordParts,
): (rule: FieldRule) => Absence {
  const context = { now: now(), uuid }
  const tellsKeys = database.dialect.syntax.insertedKeys.by === 'returning'
  return (rule) => {
    const { name, column } = rule
    if (!rules.key.includes(name) || rule.defaultOf !== undefined) return defaultOrNull(rule, context)
    if (isMadeKey(rule, rules)) return { value: nextInstance() }
    const isTold = tellsKeys || column?.written === 'numbered'
    return rule.isFilled && isTold ? 'kept' : 'refused'
  }
}
