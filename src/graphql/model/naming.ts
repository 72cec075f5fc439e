/**
 * All names in the GraphQL schema are made here. Names of tables and columns stay as they are if they are valid in
 * GraphQL (https://spec.graphql.org/October2021/#Name).
 */
import type { ForeignKey } from '../../database/database-schema.ts'

/** The fields of `Query` besides one per entity. */
export const nodeField = 'node'
export const customNodeField = 'customNode'

/** The field and argument that hold a row's global id. */
export const globalIdField = 'GlobalId'

/** Arguments of every list; a column of such a name is filtered through `filters`. */
export const listArgumentNames = [
  'offset',
  'limit',
  'asc',
  'desc',
  'filters',
  'before',
  'after',
  'first',
  'last',
] as const

/** Typed arguments of every list. A column of such a name keeps it: see `typedArgumentName`. */
export const typedArgumentNames = ['where', 'orderBy'] as const

/** The name of a typed argument, with `_` behind it as long as that is the name of a field. */
export function typedArgumentName(
  argument: (typeof typedArgumentNames)[number],
  isField: (name: string) => boolean,
): string {
  let name: string = argument
  while (isField(name)) name += '_'
  return name
}

export const objectTypeName = (entity: string) => `${entity}_`
export const connectionTypeName = (entity: string) => `${entity}_Connection`
export const edgeTypeName = (entity: string) => `${entity}_Edge`

export const whereTypeName = (entity: string) => `${entity}_Where`
export const listWhereTypeName = (entity: string) => `${entity}_ListWhere`
export const orderByTypeName = (entity: string) => `${entity}_OrderBy`

/** What a mutation does with the records of an entity. */
export const writeKinds = [
  'create',
  'createAll',
  'update',
  'updateAll',
  'upsert',
  'delete',
  'deleteAll',
] as const

export type WriteKind = (typeof writeKinds)[number]

/** The field of `Mutation`: the prefix comes first, so that the names of two entities never meet. */
export const writeFieldName = (kind: WriteKind, entity: string) => `${kind}_${entity}`

/** The argument for a field of a record's key. */
export function keyArgument(field: string): string {
  return ['input', 'ifMatch', globalIdField].includes(field) ? `${field}_` : field
}

export const createInputName = (entity: string) => `${entity}_CreateInput`
export const updateInputName = (entity: string) => `${entity}_UpdateInput`
export const referenceInputName = (entity: string) => `${entity}_ReferenceInput`
export const keyInputName = (entity: string) => `${entity}_KeyInput`
export const changesTypeName = (entity: string) => `${entity}_Changes`
export const enumTypeName = (entity: string, field: string) => `${entity}_${field}_Enum`

/** The types of what is computed of an entity's rows, and of their groups. */
export const aggregateTypeNames = (entity: string) =>
  ({
    field: `${entity}_Field`,
    aggregates: `${entity}_Aggregates`,
    group: `${entity}_Group`,
    keys: `${entity}_GroupKeys`,
    groupBy: `${entity}_GroupBy`,
    having: `${entity}_Having`,
    orderBy: `${entity}_GroupOrderBy`,
    orderByValues: `${entity}_ValuesOrderBy`,
    orderByNumbers: `${entity}_NumbersOrderBy`,
    orderByExtremes: `${entity}_ExtremesOrderBy`,
    countDistinct: `${entity}_Counts`,
    sum: `${entity}_Sums`,
    avg: `${entity}_Averages`,
    min: `${entity}_Extremes`,
    max: `${entity}_Extremes`,
  }) as const

/** The type of conditions on values of such a type. */
export const havingTypeName = (values: string) => `${values}Having`

/**
 * The value of an enum that names a field: its name, with `_` behind it as long as that is no valid value
 * (https://spec.graphql.org/October2021/#EnumValue) or the name of another field.
 */
export function fieldEnumValue(field: string, isField: (name: string) => boolean): string {
  let value = field
  while (['true', 'false', 'null'].includes(value) || (value !== field && isField(value))) value += '_'
  return value
}

/** A valid GraphQL name: every other character becomes `_`, and a leading digit or `__` gets a letter before it. */
export function graphqlName(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_]/gu, '_')
  return /^(?:[0-9]|__|$)/.test(replaced) ? `n${replaced}` : replaced
}

/** How fields are named: like their columns, or `first_name` as `firstName`. */
export type FieldNaming = 'verbatim' | 'camel'

/** The name of the field for a column or a relation, whether or not it is free. */
export function fieldName(name: string, naming: FieldNaming): string {
  const plain = graphqlName(name)
  if (naming === 'verbatim') return plain
  return plain.replace(/(?<=[^_])_+([^_])/g, (_, letter: string) => letter.toUpperCase())
}

/** The name for the entity of a table whose own name belongs to a table in another schema. */
export function longerEntityName({
  name,
  schema,
}: {
  readonly name: string
  readonly schema: string
}): string {
  return graphqlName(`${schema}_${name}`)
}

/**
 * Names for the field with the row that a foreign key references, in order of preference. `alike` are all foreign keys
 * of the table that reference the same table.
 */
export function referenceFieldNames(
  key: ForeignKey,
  alike: readonly ForeignKey[],
  referencedEntity: string,
): readonly string[] {
  const name =
    alike.length > 1 ? withoutId(graphqlName(tellingColumn(key, alike))) : lowerFirst(referencedEntity)
  return [name, `${name}Ref`]
}

/** The last column of a key that not all similar keys have. */
function tellingColumn({ columns }: ForeignKey, alike: readonly ForeignKey[]): string {
  const own = columns.filter((column) => !alike.every((key) => key.columns.includes(column)))
  return own.at(-1) ?? columns.at(-1) ?? ''
}

/** A column's name without the suffix `Id`, `_id` or `id`; `uuid` and `guid` have no such suffix. */
function withoutId(column: string): string {
  return /[ug]uid$/i.test(column) ? column : column.replace(/_?id$/i, '') || column
}

/** Names for the field with the rows that reference this one, in order of preference. */
export function collectionFieldNames(key: ForeignKey, referencingEntity: string): readonly string[] {
  const collection = `${lowerFirst(referencingEntity)}Collection`
  return [
    collection,
    `${collection}By${key.columns.map((column) => upperFirst(graphqlName(column))).join('')}`,
  ]
}

/** Makes the first letter lower case. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
