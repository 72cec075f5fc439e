/** Whether conditions on records name fields that the entities have which they are about. */
import type { ConditionedPaths, ConditionsReport } from '../../access/authorization/conditions-report.ts'
import { jsonPointer } from '../../documents/parse-document.ts'
import { type Mistake, toldMistakes } from '../../errors/app-error.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { ServedSchema } from '../served-schema.ts'
import { aboutEntity, entityPaths } from './condition-entities.ts'
import { RuleTables } from './rule-tables.ts'
import { type UnknownField, unknownFields } from './unknown-fields.ts'

/** How many entities a sentence names. */
const namedAtMost = 5
/** How many warnings one document gets. */
const mostWarnings = 100

/**
 * A field that none of the entities of some conditions has is a mistake; one that only some have is a warning, because
 * nothing is granted on the others. Conditions about no entity of today are not judged.
 */
export async function checkConditions(
  conditioned: readonly ConditionedPaths[],
  served: Pick<ServedSchema, 'snapshot' | 'published'>,
): Promise<ConditionsReport> {
  const tables = new RuleTables(served)
  const entities = entityPaths(served)
  const slices = new TimeSlices()
  const mistakes: Mistake[] = []
  const warnings: string[] = []
  for (const one of conditioned) {
    const isAbout = aboutEntity(one)
    const about: EntityType[] = []
    const lacking = new Map<string, { readonly field: UnknownField; readonly entities: EntityType[] }>()
    for (const candidate of entities) {
      if (slices.isOver) await slices.next()
      if (!isAbout(candidate)) continue
      const { entity } = candidate
      about.push(entity)
      for (const field of unknownFields(one.conditions, entity.table, tables)) {
        const key = JSON.stringify(field.pointer)
        const known = lacking.get(key) ?? { field, entities: [] }
        known.entities.push(entity)
        lacking.set(key, known)
      }
    }
    for (const { field, entities: without } of lacking.values()) {
      if (without.length === about.length) mistakes.push(mistakeOf(field, about, one))
      else if (warnings.length < mostWarnings) warnings.push(warningOf(field, without, one))
    }
    if (mistakes.length > toldMistakes) break
  }
  return { mistakes, warnings }
}

function mistakeOf(
  { name, pointer }: UnknownField,
  about: readonly EntityType[],
  { place }: ConditionedPaths,
): Mistake {
  const known = didYouMean(name, about[0]?.table.columns.keys() ?? [])
  const detail = `${listed(about)} has no field ${JSON.stringify(shortName(name))}${known}. Use the name of a column, or a path such as tenant.name.`
  return { pointer: jsonPointer([...place, ...pointer]), detail }
}

function warningOf({ name }: UnknownField, without: readonly EntityType[], { subject }: ConditionedPaths) {
  return `${subject} names the field "${shortName(name)}", which ${listed(without)} does not have: it grants nothing there.`
}

function listed(entities: readonly EntityType[]): string {
  const names = entities.slice(0, namedAtMost).map(({ name }) => name)
  const more = entities.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
