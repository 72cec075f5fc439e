/** Whether the conditions of authorities name fields that the entities have which they are about. */
import { type Authority, compileAuthority, type PatternSource } from '../../access/authorization/authority.ts'
import type { ConditionsReport } from '../../access/authorization/conditions-report.ts'
import { includesMethod } from '../../access/authorization/method.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import { conditionsOf, type RecordConditions } from '../../access/authorization/record-conditions.ts'
import type { Role } from '../../access/authorization/role.ts'
import { jsonPointer } from '../../documents/parse-document.ts'
import type { Mistake } from '../../errors/app-error.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import { unknownKeys } from '../../query/rule-filter.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'
import type { ServedSchema } from '../served-schema.ts'
import { RuleTables } from './rule-tables.ts'

/** How many entities a sentence names. */
const namedAtMost = 5

type Served = Pick<ServedSchema, 'snapshot' | 'published'>

/**
 * A field that none of the entities of an authority has is a mistake; one that only some have is a warning, because the
 * authority grants nothing on the others. An authority about no entity of today is not judged.
 */
export function checkConditions(
  authorities: readonly Authority[],
  served: Served,
  patterns: PatternSource,
): ConditionsReport {
  const mistakes: Mistake[] = []
  const warnings: string[] = []
  for (const [index, authority] of authorities.entries()) {
    const { about, unknown } = unknownIn(authority, served, patterns)
    const [first] = about
    for (const { name, pointer, lacking } of unknown) {
      if (lacking.length === about.length && first !== undefined) {
        const known = didYouMean(name, first.table.columns.keys())
        const detail = `${listed(about)} has no field ${JSON.stringify(shortName(name))}${known}. Use the name of a column, or a path such as tenant.name.`
        mistakes.push({ pointer: jsonPointer(['authorities', index, ...pointer]), detail })
      } else {
        warnings.push(
          `The authority "${authority.regex}" names the field "${shortName(name)}", which ${listed(lacking)} does not have: it grants nothing there.`,
        )
      }
    }
  }
  return { mistakes, warnings }
}

/** An authority of a role that grants nothing on an entity, because it names a field that the entity does not have. */
export interface ConditionsGap {
  readonly role: string
  readonly entity: string
  /** In a sentence. */
  readonly reason: string
}

/** All of them. */
export function conditionsGaps(
  roles: Iterable<Pick<Role, 'name' | 'authorities'>>,
  served: Served,
  patterns: PatternSource,
): readonly ConditionsGap[] {
  const gaps: ConditionsGap[] = []
  for (const { name: role, authorities } of roles) {
    for (const authority of authorities) {
      for (const { name, lacking } of unknownIn(authority, served, patterns).unknown) {
        for (const { name: entity } of lacking) {
          const reason = `The authority "${authority.regex}" of the role "${role}" names the field "${shortName(name)}", which ${entity} does not have: it grants nothing there.`
          gaps.push({ role, entity, reason })
        }
      }
    }
  }
  return gaps
}

function unknownIn(
  authority: Authority,
  { snapshot, published }: Served,
  patterns: PatternSource,
): { readonly about: readonly EntityType[]; readonly unknown: readonly UnknownField[] } {
  const conditions = conditionsOf(authority)
  if (conditions === undefined) return { about: [], unknown: [] }
  const resources = new Map([...published.values()].map(({ table, resource }) => [table.id, resource]))
  const { matches, methods } = compileAuthority(authority, patterns)
  const about = [...snapshot.model.entities.values()].filter(({ name, table }) => {
    const inGraphql = matches('/graphql') || matches(`/graphql/${name}`)
    if (inGraphql && includesMethod(methods, partMethod)) return true
    const path = `/apis/${resources.get(table.id)}`
    return resources.has(table.id) && (matches(path) || matches.below(path))
  })
  return { about, unknown: unknownFields(conditions, about, new RuleTables(snapshot.model)) }
}

interface UnknownField {
  readonly name: string
  /** Inside the authority. */
  readonly pointer: readonly (string | number)[]
  readonly lacking: readonly EntityType[]
}

function unknownFields(
  { rows, fields, set }: RecordConditions,
  about: readonly EntityType[],
  tables: RuleTables,
): readonly UnknownField[] {
  const found = new Map<
    string,
    { readonly name: string; readonly pointer: UnknownField['pointer']; readonly lacking: EntityType[] }
  >()
  const add = (name: string, pointer: UnknownField['pointer'], entity: EntityType) => {
    const key = JSON.stringify(pointer)
    const known = found.get(key) ?? { name, pointer, lacking: [] }
    known.lacking.push(entity)
    found.set(key, known)
  }
  for (const entity of about) {
    const { columns } = entity.table
    for (const { key, path } of unknownKeys(rows ?? [], tables.filterableOf(entity.table)))
      add(String(key), ['rows', ...path, 'key'], entity)
    for (const kind of ['read', 'write'] as const) {
      for (const [index, name] of (fields?.[kind] ?? []).entries())
        if (!columns.has(name)) add(name, ['fields', kind, index], entity)
    }
    for (const name of Object.keys(set ?? {})) if (!columns.has(name)) add(name, ['set', name], entity)
  }
  return [...found.values()]
}

function listed(entities: readonly EntityType[]): string {
  const names = entities.slice(0, namedAtMost).map(({ name }) => name)
  const more = entities.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
