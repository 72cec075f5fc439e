/**
 * Where a role may change the fields that decide what it may do: an authority admits records by a field which another
 * authority of the role lets be changed in records that the first does not admit.
 */
import type { ConditionedPaths } from '../../access/authorization/conditions-report.ts'
import { includesMethod } from '../../access/authorization/method.ts'
import type { Table } from '../../database/database-schema.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import type { Filterable } from '../../query/filterable.ts'
import { jsonNameOf } from '../../query/json-path.ts'
import { isQuantified } from '../../query/rule-filter.ts'
import { valueAt } from '../../query/value-source.ts'
import { shortName } from '../../util/short-name.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { aboutEntity, type EntityPaths } from './condition-entities.ts'
import type { RuleTables } from './rule-tables.ts'

/** So many entities are looked at for an authority, and so many authorities with rules. */
const [mostEntities, mostRules] = [20, 100]
const mostWarnings = 20
const changing = ['PUT', 'PATCH']

/** The warnings, one for each field and authority that lets it be changed. */
export async function widenedRules(
  authorities: readonly ConditionedPaths[],
  entities: readonly EntityPaths[],
  tables: RuleTables,
): Promise<readonly string[]> {
  const slices = new TimeSlices()
  const byTable = new Map(entities.map((paths) => [paths.entity.table.id, paths]))
  const writers = authorities.filter(({ methods }) =>
    changing.some((method) => includesMethod(methods, method)),
  )
  const warnings = new Set<string>()
  for (const rule of authorities
    .filter(({ conditions }) => conditions.rows !== undefined)
    .slice(0, mostRules)) {
    for (const { entity } of entities.filter(aboutEntity(rule)).slice(0, mostEntities)) {
      for (const { table, name } of columnsOf(rule, entity, tables)) {
        if (slices.isOver) await slices.next()
        const list = byTable.get(table.id)?.list
        const widening = list === undefined ? [] : writers.filter((writer) => reaches(writer, list))
        for (const writer of widening) {
          if (warnings.size === mostWarnings) return [...warnings]
          if (!gives(writer, name) || (table.id === entity.table.id && addsNothing(rule, writer))) continue
          warnings.add(warningOf(rule, writer, name))
        }
      }
    }
  }
  return [...warnings]
}

function warningOf(rule: ConditionedPaths, writer: ConditionedPaths, name: string): string {
  return `${rule.subject} admits records by the field "${shortName(name)}", and ${inSentence(writer.subject)} lets it be changed in other records, too: accounts with the role can bring these into their reach. If that is not meant, leave the field out of "write".`
}

function inSentence(subject: string): string {
  return `${subject.charAt(0).toLowerCase()}${subject.slice(1)}`
}

function reaches({ matches, below }: ConditionedPaths, list: string): boolean {
  return matches(list) || below(list)
}

function gives({ conditions: { fields } }: ConditionedPaths, name: string): boolean {
  const written = fields?.write ?? fields?.read
  return written === undefined || written.includes(name)
}

/**
 * Whether an authority admits, by its own conditions, only what the rule of another one admits; or grants on all that it
 * admits whatever the other one does.
 */
function addsNothing(rule: ConditionedPaths, writer: ConditionedPaths): boolean {
  const keys = (rows: readonly unknown[] = []) => new Set(rows.map((one) => JSON.stringify(one)))
  if (keys(writer.conditions.rows).isSupersetOf(keys(rule.conditions.rows))) return true
  if (!rule.methods.every((method) => includesMethod(writer.methods, method))) return false
  const kinds = ['read', 'write'] as const
  return kinds.every((kind) => {
    const given = fieldsGiven(writer, kind)
    const others = fieldsGiven(rule, kind)
    return given === undefined || (others !== undefined && new Set(given).isSupersetOf(new Set(others)))
  })
}

/** Undefined for all. */
function fieldsGiven({ conditions: { fields } }: ConditionedPaths, kind: 'read' | 'write') {
  return kind === 'read' ? fields?.read : (fields?.write ?? fields?.read)
}

interface PlacedColumn {
  readonly table: Table
  readonly name: string
}

/** The columns that decide whether a rule admits a record of an entity. */
function columnsOf(
  rule: ConditionedPaths,
  { table }: EntityType,
  tables: RuleTables,
): readonly PlacedColumn[] {
  const found = new Map<string, PlacedColumn>()
  const add = (placed: PlacedColumn) => found.set(`${placed.table.id} ${placed.name}`, placed)
  for (const placed of columnsIn(rule.conditions.rows ?? [], {
    table,
    filterable: tables.filterableOf(table),
  }))
    add(placed)
  return [...found.values()]
}

interface Place {
  readonly table: Table
  readonly filterable: Filterable
}

function* columnsIn(rule: unknown, place: Place): Generator<PlacedColumn> {
  if (Array.isArray(rule)) {
    for (const item of rule) yield* columnsIn(item, place)
    return
  }
  const key = valueAt(rule, ['key'])
  if (typeof key !== 'string') return
  const end = yield* columnsAlong(key, place)
  if (end !== undefined && isQuantified(rule)) yield* columnsIn(valueAt(rule, ['val']), end)
}

/** The columns that a key goes through; returns where it ends if that is no column. */
function* columnsAlong(
  key: string,
  { table, filterable }: Place,
): Generator<PlacedColumn, Place | undefined> {
  const name = filterable.columns.has(key) ? key : (jsonNameOf(key)?.field ?? key)
  if (filterable.columns.has(name)) {
    yield { table, name }
    return undefined
  }
  const [head = '', ...rest] = name.split('.')
  const step = filterable.related?.(head)
  if (step === undefined) return undefined
  for (const { name } of step.own) yield { table, name }
  for (const { name } of step.other) yield { table: step.table, name }
  return rest.length === 0 ? step : yield* columnsAlong(rest.join('.'), step)
}
