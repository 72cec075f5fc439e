import type { ConfiguredNames } from '../../config/chosen-names.ts'
import type { Column, DatabaseSchema, Table } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import type { ChosenNames, FormerNames, GivenNames } from '../../store/given-names.ts'
import { chosenNameOf, findConfiguredNames, mergeNames, noChosenNames } from './chosen-names.ts'
import { nameFieldsAsBefore } from './former-names.ts'
import type { EntityField, EntityType, GraphqlModel, Link } from './model.ts'
import { type NamedFields, nameFields } from './name-fields.ts'
import { type NamedTables, nameTables, nameTablesAsBefore } from './name-tables.ts'
import { type FieldNaming, globalIdField, objectTypeName } from './naming.ts'
import { tablesByPrecedence } from './relations.ts'

/** Names that are known when a model is built. */
export interface KnownNames {
  /** Absent if none were stored yet. */
  readonly given?: GivenNames
  /** Stored by a version that did not store the names of tables; absent if there was none. */
  readonly former?: FormerNames
  /** Names from the configuration; names chosen by command are part of `given`. */
  readonly configured?: ConfiguredNames | undefined
}

/**
 * Gives every table an entity, every column a field, and every foreign key a field on both of its sides. Yields so
 * that other work can run.
 */
export function* buildModel(
  schema: DatabaseSchema,
  naming: FieldNaming = 'verbatim',
  known: KnownNames = {},
): Generator<void, GraphqlModel, void> {
  const { given, former } = known
  const configured = findConfiguredNames(known.configured, schema)
  const chosen = mergeNames(configured.names, given?.chosen ?? noChosenNames)
  const isFirstTime = given === undefined && former !== undefined
  const before = isFirstTime ? nameTablesAsBefore(schema).given : (given?.tables ?? {})
  const owned = given?.owned ?? { tables: {}, fields: {} }
  const tables = nameTables(schema, before, { chosen: chosen.tables, owned: owned.tables })
  yield
  const fields = yield* nameFields(schema, {
    naming,
    entityNames: tables.byId,
    ...givenFields(schema, naming, tables.byId, known),
    chosen,
    owned: owned.fields,
  })
  const earlier = earlierNames(schema, tables)
  const names: GivenNames = {
    ...given,
    tables: tables.given,
    relations: { ...given?.relations, [naming]: fields.given.relations },
    columns: { ...given?.columns, [naming]: fields.given.columns },
    owned: { tables: tables.owned, fields: fields.owned },
  }
  return {
    entities: yield* entitiesOf(schema, tables.byId, fields, { chosen, earlier }),
    names,
    longerNames: tables.longer,
    configured: configured.names,
    refusedNames: [...tables.refused, ...fields.refused],
    unusedNames: configured.unknown,
    earlierNames: earlier,
  }
}

/** Former names of tables that have another name now. */
function earlierNames({ tables }: DatabaseSchema, named: NamedTables): ReadonlyMap<string, string> {
  const byKey = new Map([...tables.values()].map((table) => [tableKeyOf(table), named.byId.get(table.id)]))
  const all = [
    ...Object.entries(named.given).map(([key, name]) => [name, byKey.get(key)] as const),
    ...Object.entries(named.owned).map(([name, key]) => [name, byKey.get(key)] as const),
  ]
  return new Map(
    all.flatMap(([name, now]) => (now === undefined || now === name ? [] : [[name, now] as const])),
  )
}

/** The names that fields already have. */
function givenFields(
  schema: DatabaseSchema,
  naming: FieldNaming,
  entityNames: ReadonlyMap<string, string>,
  { given, former }: KnownNames,
): NamedFields['given'] {
  const relations = given?.relations[naming]
  const columns = given?.columns?.[naming]
  if (columns !== undefined) return { columns, relations: relations ?? {} }
  if (relations === undefined && former?.relations === undefined) return { columns: {}, relations: {} }
  return nameFieldsAsBefore(schema, naming, entityNames, { ...former, given: relations })
}

function* entitiesOf(
  schema: DatabaseSchema,
  names: ReadonlyMap<string, string>,
  fields: NamedFields,
  { chosen, earlier }: { readonly chosen: ChosenNames; readonly earlier: ReadonlyMap<string, string> },
): Generator<void, ReadonlyMap<string, EntityType>, void> {
  const earlierNamesOf = Map.groupBy(earlier.keys(), (name) => earlier.get(name))
  const nameOf = (table: Table) => names.get(table.id) ?? table.name
  const tables = tablesByPrecedence(schema)
  const all = new Map<string, Map<string, EntityField>>()
  for (const table of tables) {
    all.set(table.id, columnFields(table, fields.columnsOf(table), chosen))
    yield
  }
  for (const { relation, names: own } of fields.relations) {
    const { referencing, referenced, referencingColumns, referencedColumns } = relation
    const link: Link = { own: referencingColumns, other: referencedColumns }
    const name = own.reference
    const isChosen = chosen.references[relation.id] === name
    const target = nameOf(referenced)
    const field = { kind: 'reference', name, target, link, relation: relation.id, isChosen } as const
    all.get(referencing.id)?.set(name, field)
  }
  for (const { relation, names: own } of fields.relations) {
    const { referencing, referenced, referencingColumns, referencedColumns } = relation
    const link: Link = { own: referencedColumns, other: referencingColumns }
    const name = own.collection
    const isChosen = chosen.collections[relation.id] === name
    const target = nameOf(referencing)
    const field = { kind: 'collection', name, target, link, relation: relation.id, isChosen } as const
    all.get(referenced.id)?.set(name, field)
  }
  const entities = new Map<string, EntityType>()
  for (const table of tables) {
    const name = nameOf(table)
    const entity = entityOf(name, table, all.get(table.id) ?? new Map(), earlierNamesOf.get(name))
    entities.set(name, { ...entity, isChosen: chosen.tables[tableKeyOf(table)] === name })
    yield
  }
  return entities
}

function columnFields(
  table: Table,
  names: ReadonlyMap<string, string>,
  chosen: ChosenNames,
): Map<string, EntityField> {
  const key = tableKeyOf(table)
  return new Map(
    [...table.columns.values()].map((column) => {
      const name = names.get(column.name) ?? column.name
      const isChosen = chosenNameOf(chosen, { kind: 'field', table: key, of: column.name }) === name
      return [name, { kind: 'scalar', name, column, isChosen }]
    }),
  )
}

function entityOf(
  name: string,
  table: Table,
  fields: ReadonlyMap<string, EntityField>,
  earlier: readonly string[] = [],
): EntityType {
  const key = keyColumnsOf(table)
  const columns = new Map<string, Column>()
  for (const field of fields.values()) if (field.kind === 'scalar') columns.set(field.name, field.column)
  const globalId =
    key.length === 0
      ? {}
      : {
          globalId: {
            name: globalIdField,
            typeName: objectTypeName(name),
            earlierTypeNames: earlier.map(objectTypeName),
            key,
            ...rowNumberOf(table),
          },
        }
  return { name, table, rights: undefined, key, fields, filterable: { columns, ...globalId } }
}

/** The row number, which distinguishes rows whose key contains nulls. */
function rowNumberOf({ rowNumber }: Table): Pick<Table, 'rowNumber'> {
  return rowNumber === undefined ? {} : { rowNumber }
}
