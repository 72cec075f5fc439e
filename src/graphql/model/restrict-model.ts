import type { Column, Table } from '../../database/database-schema.ts'
import type { TableRights } from '../../query/filter.ts'
import { keyColumnsOf } from '../../query/read-order.ts'
import type { EntityField, EntityType, GraphqlModel, Link } from './model.ts'

/** What a caller may read of an entity's rows. */
export interface EntityRights {
  readonly table: TableRights
  /** Names of the columns that are given at all; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
}

/**
 * The model as a caller sees it who may read only some rows and fields of some entities, by name. A relation follows the
 * columns that make it: where one of them is not given, there is none.
 */
export function restrictModel(model: GraphqlModel, rights: ReadonlyMap<string, EntityRights>): GraphqlModel {
  if (rights.size === 0) return model
  const views = new Map(
    [...model.entities].map(([name, entity]) => [name, columnsOf(entity, rights.get(name))]),
  )
  const entities = new Map<string, EntityType>()
  for (const [name, entity] of model.entities) entities.set(name, restricted(entity, rights.get(name), views))
  return { ...model, entities }
}

/** The columns that a caller sees, by name. Those that are not given on every row may be null. */
type SeenColumns = ReadonlyMap<string, Column>

function columnsOf({ table }: EntityType, rights: EntityRights | undefined): SeenColumns {
  const seen = new Map<string, Column>()
  for (const [name, column] of table.columns) {
    if (rights?.fields !== undefined && !rights.fields.has(name)) continue
    seen.set(name, rights?.table.masks.has(name) ? { ...column, nullable: true } : column)
  }
  return seen
}

function restricted(
  entity: EntityType,
  rights: EntityRights | undefined,
  views: ReadonlyMap<string, SeenColumns>,
): EntityType {
  const own = views.get(entity.name) ?? new Map()
  const fields = new Map<string, EntityField>()
  for (const [name, field] of entity.fields) {
    const seen = seenField(field, own, views)
    if (seen !== undefined) fields.set(name, seen)
  }
  if (rights === undefined) return { ...entity, fields }
  const columns = new Map(
    [...entity.filterable.columns].flatMap(([name, { name: column }]) => {
      const seen = own.get(column)
      return seen === undefined ? [] : [[name, seen] as const]
    }),
  )
  return {
    ...entity,
    table: tableWith(entity.table, own),
    rights: rights.table,
    ...((rights.fields !== undefined || rights.table.masks.size > 0) && { sortsWholeLists: true }),
    fields,
    filterable: { ...entity.filterable, columns },
  }
}

function seenField(
  field: EntityField,
  own: SeenColumns,
  views: ReadonlyMap<string, SeenColumns>,
): EntityField | undefined {
  if (field.kind === 'scalar') {
    const column = own.get(field.column.name)
    return column && { ...field, column }
  }
  const link = seenLink(field.link, own, views.get(field.target) ?? new Map())
  return link && { ...field, link }
}

function seenLink({ own, other }: Link, ownSeen: SeenColumns, otherSeen: SeenColumns): Link | undefined {
  const seenOwn = own.flatMap(({ name }) => ownSeen.get(name) ?? [])
  const seenOther = other.flatMap(({ name }) => otherSeen.get(name) ?? [])
  const isWhole = seenOwn.length === own.length && seenOther.length === other.length
  return isWhole ? { own: seenOwn, other: seenOther } : undefined
}

/**
 * The table with the columns that are seen, and its key, which GlobalIds hold. Rows without a key are told apart by their position
 * in what is seen: their row numbers would tell how many others there are.
 */
function tableWith(table: Table, seen: SeenColumns): Table {
  const key = keyColumnsOf(table)
  const columns = new Map(
    [...table.columns].flatMap(([name, column]) => {
      const kept = key.includes(column) ? column : seen.get(name)
      return kept === undefined ? [] : [[name, kept] as const]
    }),
  )
  const uniqueKeys = table.uniqueKeys.filter((names) => names.every((name) => columns.has(name)))
  const { rowNumber, ...others } = table
  return { ...others, ...(key.length > 0 && rowNumber && { rowNumber }), columns, uniqueKeys }
}
