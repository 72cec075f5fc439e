import type { Column, DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import { sharedTypeNames } from '../../query/shared-type-names.ts'
import type { GivenNames, RelationNames } from './given-names.ts'
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

/**
 * Gives every table an entity, every column a field, and every foreign key a field on both of its ends. A name
 * that `given` has for a foreign key stays, unless a column or a type has come to need it.
 */
export function buildModel(
  schema: DatabaseSchema,
  naming: FieldNaming = 'verbatim',
  given: GivenNames = {},
): GraphqlModel {
  const drafts = draftEntities(schema, naming)
  const byTable = new Map(drafts.map((draft) => [draft.table.id, draft]))
  const links = drafts.flatMap((draft) =>
    keysByColumns(draft.table).flatMap((key) => linkOf(key, draft, byTable)),
  )
  const relationNames = nameRelations(links, naming, given)
  for (const { link, names } of relationNames) addReference(link, names.reference)
  for (const { link, names } of relationNames) addCollection(link, names.collection)
  return {
    entities: new Map(drafts.map((draft) => [draft.name, finish(draft)])),
    relationNames: Object.fromEntries(relationNames.map(({ link, names }) => [foreignKeyId(link), names])),
  }
}

/** What tells a foreign key from all others, whatever the product calls it. */
function foreignKeyId({ key, referencing }: KeyLink): string {
  return JSON.stringify([referencing.table.id, key.columns, key.referencedTable, key.referencedColumns])
}

interface NamedLink {
  readonly link: KeyLink
  readonly names: RelationNames
}

/** In the order of the links; those that were named before choose first. */
function nameRelations(
  links: readonly KeyLink[],
  naming: FieldNaming,
  given: GivenNames,
): readonly NamedLink[] {
  const givenTo = (link: KeyLink) => given[foreignKeyId(link)]
  const isNew = (link: KeyLink) => Number(givenTo(link) === undefined)
  const byPrecedence = links.toSorted((a, b) => isNew(a) - isNew(b))
  const choose = (before: string | undefined, names: readonly string[], taken: Set<string>) => {
    const wanted = names.map((name) => fieldName(name, naming))
    return takeName(before === undefined ? wanted : [before, ...wanted], taken)
  }
  const references = new Map<KeyLink, string>()
  for (const link of byPrecedence) {
    const wanted = referenceFieldNames(link.key, link.referenced.name)
    references.set(link, choose(givenTo(link)?.reference, wanted, link.referencing.taken))
  }
  const collections = new Map<KeyLink, string>()
  for (const link of byPrecedence) {
    const wanted = collectionFieldNames(link.key, link.referencing.name)
    collections.set(link, choose(givenTo(link)?.collection, wanted, link.referenced.taken))
  }
  return links.map((link) => ({
    link,
    names: { reference: references.get(link) ?? '', collection: collections.get(link) ?? '' },
  }))
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
  { referencing, referenced, referencingColumns, referencedColumns }: KeyLink,
  name: string,
): void {
  const link: Link = { own: referencingColumns, other: referencedColumns }
  referencing.fields.set(name, { kind: 'reference', name, target: referenced.name, link })
}

function addCollection(
  { referencing, referenced, referencingColumns, referencedColumns }: KeyLink,
  name: string,
): void {
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
