import type { Column, DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import type { FormerNames, GivenNames, GivenRelationNames, RelationNames } from '../../store/given-names.ts'
import type { EntityField, EntityType, GraphqlModel, Link } from './model.ts'
import { nameTables, nameTablesAsBefore } from './name-tables.ts'
import {
  collectionFieldNames,
  type FieldNaming,
  fieldName,
  globalIdField,
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

/** What is known of names when a model is built. */
export interface KnownNames {
  /** Absent where none were kept yet. */
  readonly given?: GivenNames
  /** What a version kept that did not keep the names of tables; absent where there was none. */
  readonly former?: FormerNames
}

/**
 * Gives every table an entity, every column a field, and every foreign key a field on both of its ends. Names that
 * were given stay; one of a foreign key, unless a column or a type has come to need it. Yields where other work may have
 * its turn.
 */
export function* buildModel(
  schema: DatabaseSchema,
  naming: FieldNaming = 'verbatim',
  { given, former }: KnownNames = {},
): Generator<void, GraphqlModel, void> {
  const isFirstTime = given === undefined && former !== undefined
  const tables = isFirstTime ? nameTablesAsBefore(schema) : nameTables(schema, given?.tables ?? {})
  yield
  const drafts = draftEntities(schema, naming, tables.byId)
  yield
  const byTable = new Map(drafts.map((draft) => [draft.table.id, draft]))
  const links: KeyLink[] = []
  for (const draft of drafts) {
    links.push(...keysByColumns(draft.table).flatMap((key) => linkOf(key, draft, byTable)))
    yield
  }
  const relations = given?.relations[naming]
  const namesBefore = (link: KeyLink) =>
    relations === undefined ? former?.relations[formerForeignKeyId(link)] : relations[foreignKeyId(link)]
  const named = yield* nameRelations(links, naming, namesBefore)
  for (const { link, names } of named) addReference(link, names.reference)
  for (const { link, names } of named) addCollection(link, names.collection)
  const entities = new Map<string, EntityType>()
  for (const draft of drafts) {
    entities.set(draft.name, finish(draft))
    yield
  }
  return {
    entities,
    names: {
      tables: tables.given,
      relations: { ...given?.relations, [naming]: withAbsent(relations ?? {}, named) },
    },
    longerNames: tables.longer,
  }
}

/** What tells a foreign key from all others, whatever the product calls it. */
function foreignKeyId({ key, referencing, referenced }: KeyLink): string {
  return foreignKeyIdOf(tableKeyOf(referencing.table), key, tableKeyOf(referenced.table))
}

function foreignKeyIdOf(
  table: string,
  { columns, referencedColumns }: ForeignKey,
  referencedTable: string,
): string {
  return JSON.stringify([table, columns, referencedTable, referencedColumns])
}

/** The same in former versions. */
function formerForeignKeyId({ key, referencing }: KeyLink): string {
  return foreignKeyIdOf(referencing.table.id, key, key.referencedTable)
}

/** The names that relations have now, and those of relations that are not there, as long as no other one has them. */
function withAbsent(given: GivenRelationNames, named: readonly NamedLink[]): GivenRelationNames {
  const present = new Map(named.map(({ link, names }) => [foreignKeyId(link), names]))
  const taken = new Set(
    [...present].flatMap(([id, { reference, collection }]) => fieldsOf(id, reference, collection)),
  )
  const kept = Object.entries(given).filter(
    ([id, { reference, collection }]) =>
      present.has(id) || !fieldsOf(id, reference, collection).some((field) => taken.has(field)),
  )
  return { ...Object.fromEntries(kept), ...Object.fromEntries(present) }
}

/** Both fields of a relation, each with its table. */
function fieldsOf(id: string, reference: string, collection: string): readonly string[] {
  const [table, , referencedTable] = JSON.parse(id) as readonly [string, unknown, string, unknown]
  return [`${table} ${reference}`, `${referencedTable} ${collection}`]
}

interface NamedLink {
  readonly link: KeyLink
  readonly names: RelationNames
}

/** In the order of the links; those that were named before choose first. */
function* nameRelations(
  links: readonly KeyLink[],
  naming: FieldNaming,
  givenTo: (link: KeyLink) => RelationNames | undefined,
): Generator<void, readonly NamedLink[], void> {
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
    yield
  }
  const collections = new Map<KeyLink, string>()
  for (const link of byPrecedence) {
    const wanted = collectionFieldNames(link.key, link.referencing.name)
    collections.set(link, choose(givenTo(link)?.collection, wanted, link.referenced.taken))
    yield
  }
  return links.map((link) => ({
    link,
    names: { reference: references.get(link) ?? '', collection: collections.get(link) ?? '' },
  }))
}

function draftEntities(
  schema: DatabaseSchema,
  naming: FieldNaming,
  names: ReadonlyMap<string, string>,
): readonly Draft[] {
  return tablesByPrecedence(schema).map((table) => {
    const key = keyColumnsOf(table)
    const taken = new Set([globalIdField])
    const fields = new Map<string, EntityField>()
    for (const column of table.columns.values()) {
      const field = takeName([fieldName(column.name, naming)], taken)
      fields.set(field, { kind: 'scalar', name: field, column })
    }
    return { name: names.get(table.id) ?? table.name, table, key, taken, fields }
  })
}

/** Tables that need no schema to be told apart come first. */
function tablesByPrecedence({ tables }: DatabaseSchema): readonly Table[] {
  const all = [...tables.values()]
  return [...all.filter(({ id, name }) => id === name), ...all.filter(({ id, name }) => id !== name)]
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
