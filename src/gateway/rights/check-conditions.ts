/** Whether conditions on records name fields that the entities have which they are about, and values that these can have. */
import type { ConditionedPaths, ConditionsReport } from '../../access/authorization/conditions-report.ts'
import { conditionsOf } from '../../access/authorization/record-conditions.ts'
import type { Dialect } from '../../database/dialect.ts'
import { jsonPointer } from '../../documents/parse-document.ts'
import { type Mistake, toldMistakes } from '../../errors/app-error.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { ServedSchema } from '../served-schema.ts'
import { aboutEntity, type EntityPaths, entityPaths } from './condition-entities.ts'
import { RuleTables } from './rule-tables.ts'
import { type UnfitValue, unfitValues } from './unfit-values.ts'
import { type UnknownField, unknownFields } from './unknown-fields.ts'
import { widenedRules } from './widened-rules.ts'

/** How many entities a sentence names. */
const namedAtMost = 5
/** How many warnings one document gets. */
const mostWarnings = 100
/** Values are compared with the columns of so many entities at most: each takes a statement that is made and not run. */
const comparedEntities = 20

interface CheckedSchema {
  readonly served: Pick<ServedSchema, 'snapshot' | 'published'>
  readonly dialect: Dialect
}

/**
 * What none of the entities has that some conditions are about, a field or a value, is a mistake; what only some have is a
 * warning, because nothing is granted on the others. Conditions about no entity of today are not judged.
 */
export async function checkConditions(
  conditioned: readonly ConditionedPaths[],
  { served, dialect }: CheckedSchema,
): Promise<ConditionsReport> {
  const tables = new RuleTables(served)
  const entities = entityPaths(served)
  const slices = new TimeSlices()
  const mistakes: Mistake[] = []
  const warnings: string[] = []
  for (const one of conditioned) {
    if (conditionsOf(one.conditions) === undefined) continue
    const about = await entitiesAbout(one, entities, slices)
    const lacking = new Map<string, { readonly lack: Lack; readonly entities: EntityType[] }>()
    for (const [index, entity] of about.entries()) {
      if (slices.isOver) await slices.next()
      const unknown = unknownFields(one.conditions, entity.table, tables).map(lackOfField)
      const unfit = index < comparedEntities ? unfitValues(one.conditions, entity.table, tables, dialect) : []
      for (const lack of [...unknown, ...unfit.map(lackOfValue)]) {
        const key = JSON.stringify(lack.pointer)
        const known = lacking.get(key) ?? { lack, entities: [] }
        known.entities.push(entity)
        lacking.set(key, known)
      }
    }
    for (const { lack, entities: without } of lacking.values()) {
      if (without.length === about.length)
        mistakes.push({ pointer: jsonPointer([...one.place, ...lack.pointer]), detail: lack.mistake(about) })
      else if (warnings.length < mostWarnings) warnings.push(lack.warning(one.subject, listed(without)))
    }
    if (mistakes.length > toldMistakes) break
  }
  if (mistakes.length === 0) warnings.push(...(await widenedRules(conditioned, entities, tables)))
  return { mistakes, warnings }
}

async function entitiesAbout(
  one: ConditionedPaths,
  entities: readonly EntityPaths[],
  slices: TimeSlices,
): Promise<readonly EntityType[]> {
  const isAbout = aboutEntity(one)
  const about: EntityType[] = []
  for (const candidate of entities) {
    if (slices.isOver) await slices.next()
    if (isAbout(candidate)) about.push(candidate.entity)
  }
  return about
}

/** What conditions name, and an entity does not have. */
interface Lack {
  readonly pointer: readonly (string | number)[]
  /** For the sentence on those that lack it. */
  mistake(about: readonly EntityType[]): string
  warning(subject: string, without: string): string
}

function lackOfField({ name, pointer }: UnknownField): Lack {
  const short = shortName(name)
  return {
    pointer,
    mistake(about) {
      const known = didYouMean(name, about[0]?.table.columns.keys() ?? [])
      return `${listed(about)} has no field ${JSON.stringify(short)}${known}. Use the name of a column, or a path such as tenant.name.`
    },
    warning: (subject, without) =>
      `${subject} names the field "${short}", which ${without} does not have: it grants nothing there.`,
  }
}

function lackOfValue({ pointer, detail }: UnfitValue): Lack {
  return {
    pointer,
    mistake: () => detail,
    warning: (subject, without) => `${subject} admits no record of ${without}: ${detail}`,
  }
}

function listed(entities: readonly EntityType[]): string {
  const names = entities.slice(0, namedAtMost).map(({ name }) => name)
  const more = entities.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
