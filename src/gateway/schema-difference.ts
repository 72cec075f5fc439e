/** The difference between two served schemas, for people and for programs. */
import type { Column, Table } from '../database/database-schema.ts'
import { describeTableKey, tableKeyOf } from '../database/table-names.ts'
import type { EntityType } from '../graphql/model/model.ts'
import { mapInSlices } from '../util/time-slices.ts'
import type { ServedSchema } from './served-schema.ts'

/** In words: `table "a"`, `column "b" of table "a"`. */
export interface SchemaDifference {
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  /** What exists in both but differs. */
  readonly changed: readonly string[]
}

const noDifference: SchemaDifference = { appeared: [], vanished: [], changed: [] }

/** Whether both are the same. */
export function isSame({ appeared, vanished, changed }: SchemaDifference): boolean {
  return appeared.length + vanished.length + changed.length === 0
}

/** The difference between a schema and its successor; in time slices. */
export async function schemaDifference(before: ServedSchema, after: ServedSchema): Promise<SchemaDifference> {
  const [old, now] = [tablesOf(before), tablesOf(after)]
  const appeared = [...now].filter(([key]) => !old.has(key)).map(([key, { table }]) => describe(key, table))
  const vanished = [...old].filter(([key]) => !now.has(key)).map(([key, { table }]) => describe(key, table))
  const both = await mapInSlices([...now], ([key, found]) => {
    const known = old.get(key)
    return known === undefined ? noDifference : differenceOf(describe(key, found.table), known, found)
  })
  const resources = (served: ServedSchema) => [...served.published.keys()].map((name) => `/apis/${name}`)
  const apis = lists(resources(before), resources(after))
  return {
    appeared: [...appeared, ...both.flatMap((found) => found.appeared), ...apis.appeared],
    vanished: [...vanished, ...both.flatMap((found) => found.vanished), ...apis.vanished],
    changed: both.flatMap((found) => found.changed),
  }
}

/** A table that is missing in the successor of a schema, or has lost columns, keys or fields there. */
export interface LostTable {
  readonly table: Table
  readonly isMissing: boolean
}

/** What the successor of a schema has lost; in time slices. */
export async function lostTables(before: ServedSchema, after: ServedSchema): Promise<readonly LostTable[]> {
  const now = tablesOf(after)
  const lost = await mapInSlices([...tablesOf(before)], ([key, known]) => {
    const found = now.get(key)
    const isMissing = found === undefined
    const hasLess = isMissing || differenceOf(key, known, found).vanished.length > 0
    return hasLess ? [{ table: known.table, isMissing }] : []
  })
  return lost.flat()
}

interface NamedTable {
  readonly table: Table
  readonly entity: EntityType
}

function tablesOf({ snapshot }: ServedSchema): ReadonlyMap<string, NamedTable> {
  const entities = [...snapshot.model.entities.values()]
  return new Map(entities.map((entity) => [tableKeyOf(entity.table), { table: entity.table, entity }]))
}

function describe(key: string, { kind }: Table): string {
  const text = describeTableKey(key)
  return kind === 'view' ? text.replace(/^table/, 'view') : text
}

function lists(before: readonly string[], after: readonly string[]) {
  const [old, now] = [new Set(before), new Set(after)]
  return {
    appeared: after.filter((text) => !old.has(text)),
    vanished: before.filter((text) => !now.has(text)),
  }
}

function differenceOf(what: string, before: NamedTable, after: NamedTable): SchemaDifference {
  const [old, now] = [before.table, after.table]
  const columns = lists([...old.columns.keys()], [...now.columns.keys()])
  const keys = lists(keysOf(old), keysOf(now))
  // A field for each column and reference; other names were compared above.
  const fields = lists(relationsOf(before.entity), relationsOf(after.entity))
  const of = (name: string) => `${name} of ${what}`
  const column = (name: string) => of(`column ${JSON.stringify(name)}`)
  const changed = [...now.columns.values()].flatMap((found) => {
    const known = old.columns.get(found.name)
    const text = known && changeOf(known, found)
    return text === undefined ? [] : [`${column(found.name)}: ${text}`]
  })
  const named = [columnNames(before.entity), columnNames(after.entity)] as const
  const fieldsRenamed = [...named[1]].flatMap(([own, name]) => {
    const former = named[0].get(own)
    return former === undefined || former === name
      ? []
      : [`${column(own)}: is ${name} in GraphQL, was ${former}`]
  })
  const renamed = before.entity.name !== after.entity.name
  return {
    appeared: [...columns.appeared.map(column), ...keys.appeared.map(of), ...fields.appeared.map(of)],
    vanished: [...columns.vanished.map(column), ...keys.vanished.map(of), ...fields.vanished.map(of)],
    changed: [
      ...(old.kind === now.kind ? [] : [`${what}: was a ${old.kind}`]),
      ...(renamed ? [`${what}: is ${after.entity.name} in GraphQL, was ${before.entity.name}`] : []),
      ...changed,
      ...fieldsRenamed,
    ],
  }
}

function changeOf(before: Column, after: Column): string | undefined {
  const [old, now] = [before, after].map(
    ({ nativeType, nullable, hasDefault, written }) =>
      `${nativeType}${nullable ? '' : ' not null'}${hasDefault ? ' with a default' : ''}${written === undefined ? '' : `, ${written === 'never' ? 'read only' : 'numbered'}`}`,
  )
  if (old !== now) return `is ${now}, was ${old}`
  // PostgreSQL names types without their sizes.
  const [oldSize, nowSize] = [before, after].map(sizeText)
  return oldSize === nowSize ? undefined : `is ${now} with ${nowSize}, was with ${oldSize}`
}

function sizeText({ size, listed }: Column): string {
  const parts = Object.entries({ ...size, ...(listed && { values: listed }) })
  return parts.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ') || 'any size'
}

function keysOf({ primaryKey, uniqueKeys, foreignKeys }: Table): readonly string[] {
  const list = (names: readonly string[]) => `(${names.map((name) => JSON.stringify(name)).join(', ')})`
  return [
    ...(primaryKey.length === 0 ? [] : [`primary key ${list(primaryKey)}`]),
    ...uniqueKeys.map((key) => `unique key ${list(key)}`),
    ...foreignKeys.map(({ columns, referencedTable, referencedColumns }) => {
      const target = JSON.stringify(referencedTable.split('\u0000').at(-1))
      return `reference ${list(columns)} to ${target} ${list(referencedColumns)}`
    }),
  ]
}

/** The GraphQL names of the columns. */
function columnNames({ fields }: EntityType): ReadonlyMap<string, string> {
  return new Map(
    [...fields].flatMap(([name, field]) => (field.kind === 'scalar' ? [[field.column.name, name]] : [])),
  )
}

/** The GraphQL names of the relations. */
function relationsOf({ fields }: EntityType): readonly string[] {
  return [...fields].flatMap(([name, field]) => (field.kind === 'scalar' ? [] : [`GraphQL field ${name}`]))
}
