import type { Column, DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import { sharedTypeNames } from '../../query/shared-type-names.ts'
import type { EntityField, EntityType, GraphqlModel, Link } from './model.ts'
import {
  collectionFieldNames,
  connectionTypeName,
  customNodeField,
  edgeTypeName,
  entityNames,
  type FieldNaming,
  fieldName,
  globalIdField,
  nodeField,
  objectTypeName,
  referenceFieldNames,
  takeName,
} from './naming.ts'

/** An entity whose fields are still being collected. */
interface Draft {
  readonly name: string
  readonly table: Table
  readonly key: readonly Column[]
  readonly taken: Set<string>
  readonly fields: Map<string, EntityField>
}

/** Gives every table an entity, every column a field, and every foreign key a field on both of its ends. */
export function buildModel(schema: DatabaseSchema, naming: FieldNaming = 'verbatim'): GraphqlModel {
  const drafts = draftEntities(schema, naming)
  const byTable = new Map(drafts.map((draft) => [draft.table.id, draft]))
  const links = drafts.flatMap((draft) =>
    keysByColumns(draft.table).flatMap((key) => linkOf(key, draft, byTable)),
  )
  for (const link of links) addReference(link, naming)
  for (const link of links) addCollection(link, naming)
  return { entities: new Map(drafts.map((draft) => [draft.name, finish(draft)])) }
}

function draftEntities(schema: DatabaseSchema, naming: FieldNaming): readonly Draft[] {
  const takenTypes = new Set<string>(sharedTypeNames)
  const takenRoots = new Set<string>([nodeField, customNodeField])
  return tablesByPrecedence(schema).map((table) => {
    const name = entityName(entityNames(table), takenTypes, takenRoots)
    const key = keyColumnsOf(table)
    const taken = new Set([globalIdField])
    const fields = new Map<string, EntityField>()
    for (const column of table.columns.values()) {
      const field = takeName([fieldName(column.name, naming)], taken)
      fields.set(field, { kind: 'scalar', name: field, column })
    }
    return { name, table, key, taken, fields }
  })
}

/** Tables that need no schema to be told apart take their names first. */
function tablesByPrecedence({ tables }: DatabaseSchema): readonly Table[] {
  const all = [...tables.values()]
  return [...all.filter(({ id, name }) => id === name), ...all.filter(({ id, name }) => id !== name)]
}

/** The first name, or the last one with a number, whose three types are free, too. */
function entityName(wanted: readonly string[], takenTypes: Set<string>, takenRoots: Set<string>): string {
  const typesOf = (name: string) => [objectTypeName(name), connectionTypeName(name), edgeTypeName(name)]
  const isFree = (name: string) =>
    !takenRoots.has(name) && !typesOf(name).some((type) => takenTypes.has(type))
  let name = wanted.find(isFree)
  for (let number = 2; name === undefined; number += 1) {
    const candidate = `${wanted.at(-1)}_${number}`
    if (isFree(candidate)) name = candidate
  }
  takenRoots.add(name)
  for (const type of typesOf(name)) takenTypes.add(type)
  return name
}

/**
 * By the places of their columns in the table: the same on every product, and a key over later columns
 * takes no name from those that are there.
 */
function keysByColumns({ columns, foreignKeys }: Table): readonly ForeignKey[] {
  const places = new Map([...columns.keys()].map((name, place) => [name, place]))
  const placesOf = (key: ForeignKey) => key.columns.map((name) => places.get(name) ?? columns.size)
  return foreignKeys.toSorted((a, b) => {
    const [own, other] = [placesOf(a), placesOf(b)]
    const different = own.findIndex((place, index) => place !== other[index])
    return different === -1 ? own.length - other.length : (own[different] ?? 0) - (other[different] ?? -1)
  })
}

interface KeyLink {
  readonly key: ForeignKey
  readonly referencing: Draft
  readonly referenced: Draft
  readonly referencingColumns: readonly Column[]
  readonly referencedColumns: readonly Column[]
}

function linkOf(
  key: ForeignKey,
  referencing: Draft,
  byTable: ReadonlyMap<string, Draft>,
): readonly KeyLink[] {
  const referenced = byTable.get(key.referencedTable)
  if (referenced === undefined) return []
  const referencingColumns = columnsNamed(referencing.table, key.columns)
  const referencedColumns = columnsNamed(referenced.table, key.referencedColumns)
  const complete =
    referencingColumns.length === key.columns.length && referencedColumns.length === key.columns.length
  return complete ? [{ key, referencing, referenced, referencingColumns, referencedColumns }] : []
}

function columnsNamed(table: Table, names: readonly string[]): readonly Column[] {
  return names.flatMap((name) => table.columns.get(name) ?? [])
}

function addReference(
  { key, referencing, referenced, referencingColumns, referencedColumns }: KeyLink,
  naming: FieldNaming,
): void {
  const wanted = referenceFieldNames(key, referenced.name).map((name) => fieldName(name, naming))
  const name = takeName(wanted, referencing.taken)
  const link: Link = { own: referencingColumns, other: referencedColumns }
  referencing.fields.set(name, { kind: 'reference', name, target: referenced.name, link })
}

function addCollection(
  { key, referencing, referenced, referencingColumns, referencedColumns }: KeyLink,
  naming: FieldNaming,
): void {
  const wanted = collectionFieldNames(key, referencing.name).map((name) => fieldName(name, naming))
  const name = takeName(wanted, referenced.taken)
  const link: Link = { own: referencedColumns, other: referencingColumns }
  referenced.fields.set(name, { kind: 'collection', name, target: referencing.name, link })
}

function finish({ name, table, key, fields }: Draft): EntityType {
  const columns = new Map<string, Column>()
  for (const field of fields.values()) if (field.kind === 'scalar') columns.set(field.name, field.column)
  const globalId =
    key.length === 0 ? {} : { globalId: { name: globalIdField, typeName: objectTypeName(name), key } }
  return { name, table, key, fields, filterable: { columns, ...globalId } }
}
