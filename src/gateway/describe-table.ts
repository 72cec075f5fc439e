/** Tables and views as clients of the management API see them: their names, their fields, and how they are related. */
import type { Column, ColumnType, Table } from '../database/database-schema.ts'
import type { EntityField, EntityType, GraphqlModel } from '../graphql/model/model.ts'
import { scalarOfColumn } from '../graphql/model/type-mapping.ts'
import type { DescribedEntity } from '../record/described-entity.ts'
import { isChosen } from '../record/record-rights.ts'
import {
  type FieldRule,
  isForeign,
  isMadeKey,
  type PublishedEntity,
  systemColumns,
} from '../record/record-rules.ts'

/** A field of a table: a column. */
interface FieldDescription {
  /** In GraphQL. */
  readonly name: string
  /** The name of its column. */
  readonly column: string
  /** Its GraphQL type, without `!`. */
  readonly type: string
  /** What its values are, whichever the product. */
  readonly kind: ColumnType
  /** The type of the column, as the database calls it. */
  readonly native_type: string
  /** Its name in the published API; absent if it is not there. */
  readonly api_name?: string
  /** The type that the entity definition gives it; absent for a column that the gateway writes. */
  readonly entity_type?: string
  readonly nullable: boolean
  /** The allowed values. */
  readonly enum?: readonly unknown[]
  /** What the gateway writes if a record is sent without the field. */
  readonly default?: { readonly value: unknown } | { readonly made: 'now' | 'uuid' }
  /** Whether the database supplies a value if a record is sent without the field. */
  readonly has_database_default?: true
  readonly immutable?: true
  /** Whether its values are unique by themselves. */
  readonly unique?: true
  /** Whether requests never write it: the database or the gateway does, or the caller's rights. */
  readonly read_only?: true
  /** Whether the caller may change it, and not choose its value in new records. */
  readonly not_on_creation?: true
  readonly comment?: string
}

/** A foreign key, seen from one of its tables. Two rows are related if these fields are equal, pair by pair. */
interface RelationDescription {
  /** In GraphQL. */
  readonly name: string
  /** The name of the other table. */
  readonly table: string
  /** The field of the same foreign key in the other table. */
  readonly other_name: string
  /** Whether the rows of the other table have a GlobalId. */
  readonly has_global_id: boolean
  readonly fields: readonly { readonly own: string; readonly other: string }[]
}

/** The parts of a table. */
export interface TableContent {
  /** The fields that a GlobalId is made of, as far as they are seen; none if the table has no key. */
  readonly key: readonly string[]
  /** Whether its rows have a GlobalId, seen or not what it is made of. */
  readonly has_global_id: boolean
  /** In the order of the table. */
  readonly fields: readonly FieldDescription[]
  /** Those that the caller may write, and not read. */
  readonly unread_fields: readonly FieldDescription[]
  /** The rows that foreign keys of the table reference. */
  readonly references: readonly RelationDescription[]
  /** The rows whose foreign keys reference the table. */
  readonly collections: readonly RelationDescription[]
}

/** What a caller may see of the tables. */
export interface SeenParts {
  isTable(name: string): boolean
  /** Whether it reads the column, in the way in which it reads the table. */
  isColumn(table: string, column: string): boolean
}

/** A relation needs the other table, and the columns of both tables that make it. */
function isSeenRelation(
  field: EntityField,
  { name }: EntityType,
  { isTable, isColumn }: SeenParts,
): field is RelationField {
  if (field.kind === 'scalar' || !isTable(field.target)) return false
  const { own, other } = field.link
  return (
    own.every((column) => isColumn(name, column.name)) &&
    other.every((column) => isColumn(field.target, column.name))
  )
}

/** The parts of a table that are seen. */
export function describeContent(
  entity: EntityType,
  model: Pick<GraphqlModel, 'entities'>,
  published: DescribedEntity | undefined,
  seen: SeenParts,
): TableContent {
  const names = fieldNamesOf(entity)
  const fields = [...entity.fields.values()]
  const described = (isShown: (column: Column) => boolean) =>
    fields.flatMap((field) =>
      field.kind === 'scalar' && isShown(field.column)
        ? [fieldOf(field.name, field.column, entity.table, published)]
        : [],
    )
  const isRead = (column: Column) => seen.isColumn(entity.name, column.name)
  const relations = (kind: 'reference' | 'collection') =>
    fields.flatMap((field) => {
      const isSeen = field.kind === kind && isSeenRelation(field, entity, seen)
      const other = isSeen ? model.entities.get(field.target) : undefined
      return other === undefined || field.kind === 'scalar' ? [] : [relationOf(field, entity, other, model)]
    })
  return {
    key: entity.key.flatMap(({ name }) => (seen.isColumn(entity.name, name) ? (names.get(name) ?? []) : [])),
    has_global_id: entity.key.length > 0,
    fields: described(isRead),
    unread_fields: described(
      (column) =>
        !isRead(column) &&
        published !== undefined &&
        !isReadOnly(column, published.rules.fields.get(column.name), published),
    ),
    references: relations('reference'),
    collections: relations('collection'),
  }
}

/** The names in GraphQL of a table's columns. */
export function fieldNamesOf({ filterable }: EntityType): ReadonlyMap<string, string> {
  return new Map([...filterable.columns].map(([name, column]) => [column.name, name]))
}

type RelationField = Exclude<EntityField, { kind: 'scalar' }>

/** The name of the field of the same foreign key in the other table; undefined if that table is not there. */
export function oppositeName(
  { kind, relation, target }: RelationField,
  { entities }: Pick<GraphqlModel, 'entities'>,
): string | undefined {
  const otherKind = kind === 'reference' ? 'collection' : 'reference'
  const others = [...(entities.get(target)?.fields.values() ?? [])]
  return others.find((field) => field.kind === otherKind && field.relation === relation)?.name
}

function relationOf(
  field: RelationField,
  own: EntityType,
  other: EntityType,
  model: Pick<GraphqlModel, 'entities'>,
): RelationDescription {
  const { name, link } = field
  const [ownNames, otherNames] = [fieldNamesOf(own), fieldNamesOf(other)]
  const fields = link.own.map((column, index) => ({
    own: ownNames.get(column.name) ?? column.name,
    other: otherNames.get(link.other[index]?.name ?? '') ?? '',
  }))
  const has_global_id = other.key.length > 0
  return { name, table: other.name, other_name: oppositeName(field, model) ?? '', has_global_id, fields }
}

function fieldOf(
  name: string,
  column: Column,
  table: Table,
  published: DescribedEntity | undefined,
): FieldDescription {
  const rule = published?.rules.fields.get(column.name)
  const { nativeType, listed, comment } = column
  return {
    name,
    column: column.name,
    type: scalarOfColumn[column.type],
    kind: column.type,
    native_type: nativeType,
    ...(isInApi(column.name, rule, published) && { api_name: column.name }),
    ...(listed !== undefined && { enum: listed }),
    ...(rule !== undefined && { entity_type: rule.type, ...valuesOf(rule, published) }),
    nullable: rule?.nullable ?? column.nullable,
    ...((rule?.isFilled ?? isFilled(column)) && { has_database_default: true }),
    ...(isUnique(column.name, table, rule) && { unique: true }),
    ...writingOf(column, rule, published),
    ...(comment !== undefined && { comment }),
  }
}

function valuesOf(rule: FieldRule, published: PublishedEntity | undefined) {
  const { allowed, default: expression, immutable } = rule
  const isMade = published !== undefined && isMadeKey(rule, published.rules)
  return {
    ...(isMade && ({ default: { made: 'uuid' } } as const)),
    ...(allowed !== undefined && { enum: allowed.shown }),
    ...(expression !== undefined && {
      default: expression.kind === 'literal' ? { value: expression.value } : { made: expression.kind },
    }),
    ...(immutable && ({ immutable: true } as const)),
  }
}

function isInApi(column: string, rule: FieldRule | undefined, published: PublishedEntity | undefined) {
  return rule !== undefined || (published !== undefined && isSystemColumn(column, published))
}

function isSystemColumn(column: string, published: PublishedEntity): boolean {
  return !isForeign(published) && systemColumns.some((name) => name === column)
}

function writingOf(column: Column, rule: FieldRule | undefined, published: DescribedEntity | undefined) {
  if (isReadOnly(column, rule, published)) return { read_only: true } as const
  const rights = published?.rightsTo('POST')
  const isCreator = rights?.write === undefined || rights.write.length > 0
  return isCreator && !isChosen(rights, column.name) ? ({ not_on_creation: true } as const) : {}
}

function isReadOnly(column: Column, rule: FieldRule | undefined, published: PublishedEntity | undefined) {
  if (published !== undefined && !isChosen(published.rights, column.name)) return true
  if (rule !== undefined) return rule.isReadOnly
  return column.written === 'never' || (published !== undefined && isSystemColumn(column.name, published))
}

function isFilled({ hasDefault, written }: Column): boolean {
  return hasDefault || written === 'numbered'
}

function isUnique(column: string, { primaryKey, uniqueKeys }: Table, rule: FieldRule | undefined): boolean {
  if (rule?.unique) return true
  return [primaryKey, ...uniqueKeys].some((key) => key.length === 1 && key[0] === column)
}
