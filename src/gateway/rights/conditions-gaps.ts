/** What conditions on records no longer fit, after the tables have changed. */
import type { ConditionedPaths } from '../../access/authorization/conditions-report.ts'
import type { RecordConditions } from '../../access/authorization/record-conditions.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import { shortName } from '../../util/short-name.ts'
import { mapInSlices, TimeSlices } from '../../util/time-slices.ts'
import type { ServedSchema } from '../served-schema.ts'
import { aboutEntity, type EntityPaths, entityPaths } from './condition-entities.ts'
import { RuleTables } from './rule-tables.ts'
import { unknownFields } from './unknown-fields.ts'

/** Conditions that grant nothing on an entity, because they name a field that the entity does not have. */
export interface ConditionsGap {
  readonly entity: string
  /** In a sentence. */
  readonly reason: string
}

/** How many are found at most. */
const mostGaps = 100

type Served = Pick<ServedSchema, 'snapshot' | 'published'>

/** The first gaps that there were not before a change of the tables; in time slices. */
export async function newGaps<Conditioned extends ConditionedPaths>(
  conditioned: Iterable<Conditioned>,
  before: Served,
  after: Served,
): Promise<readonly (ConditionsGap & { readonly conditioned: Conditioned })[]> {
  const known = new Map(entityPaths(before).map((paths) => [paths.entity.name, paths]))
  const all = entityPaths(after)
  const areSame = await mapInSlices(all, (paths) => isSame(known.get(paths.entity.name), paths))
  const changed = all.filter((_, index) => !areSame[index])
  const gaps: (ConditionsGap & { readonly conditioned: Conditioned })[] = []
  if (changed.length === 0) return gaps
  const [tablesBefore, tables] = [new RuleTables(before), new RuleTables(after)]
  const slices = new TimeSlices()
  for (const one of conditioned) {
    const isAbout = aboutEntity(one)
    // A path may lead through an entity that has changed.
    for (const paths of hasPaths(one.conditions) ? all : changed) {
      if (slices.isOver) await slices.next()
      if (!isAbout(paths)) continue
      const { entity } = paths
      const unknown = unknownFields(one.conditions, entity.table, tables)
      if (unknown.length === 0) continue
      const earlier = known.get(entity.name)
      const isKnown =
        earlier !== undefined && isAbout(earlier)
          ? namesOf(unknownFields(one.conditions, earlier.entity.table, tablesBefore))
          : new Set()
      for (const name of namesOf(unknown).difference(isKnown)) {
        if (gaps.length === mostGaps) return gaps
        const reason = `${one.subject} names the field "${shortName(name)}", which ${entity.name} does not have: it grants nothing there.`
        gaps.push({ entity: entity.name, reason, conditioned: one })
      }
    }
  }
  return gaps
}

function namesOf(fields: readonly { readonly name: string }[]): Set<string> {
  return new Set(fields.map(({ name }) => name))
}

/** Whether conditions may name the same fields of an entity, themselves and as the beginnings of paths. */
function isSame(before: EntityPaths | undefined, after: EntityPaths): boolean {
  if (before === undefined || before.list !== after.list) return false
  const names = (entity: EntityType) => [...entity.table.columns.keys(), ...referencesOf(entity)]
  const [old, current] = [names(before.entity), names(after.entity)]
  return old.length === current.length && new Set(old).isSupersetOf(new Set(current))
}

function referencesOf({ fields }: EntityType): readonly string[] {
  return [...fields].flatMap(([name, field]) =>
    field.kind === 'reference' ? [`${name} -> ${field.target}`] : [],
  )
}

function hasPaths({ rows = [] }: RecordConditions): boolean {
  const isPath = (item: unknown): boolean => {
    if (Array.isArray(item)) return item.some(isPath)
    return typeof item === 'object' && item !== null && 'key' in item && String(item.key).includes('.')
  }
  return rows.some(isPath)
}
