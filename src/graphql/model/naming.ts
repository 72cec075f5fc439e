/**
 * Every name that the GraphQL schema publishes is made here. Names of tables and columns stay as they
 * are wherever GraphQL can hold them (https://spec.graphql.org/October2021/#Name).
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

export const objectTypeName = (entity: string) => `${entity}_`
export const connectionTypeName = (entity: string) => `${entity}_Connection`
export const edgeTypeName = (entity: string) => `${entity}_Edge`

/** A name that GraphQL can hold: every other character becomes `_`, and a first digit or double `_` gets a letter before it. */
export function graphqlName(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_]/gu, '_')
  return /^(?:[0-9]|__|$)/.test(replaced) ? `n${replaced}` : replaced
}

/** How fields get their names: as columns have them, or with `first_name` as `firstName`. */
export type FieldNaming = 'verbatim' | 'camel'

/** The name of the field for a column or a relation, before it is known to be free. */
export function fieldName(name: string, naming: FieldNaming): string {
  const plain = graphqlName(name)
  if (naming === 'verbatim') return plain
  return plain.replace(/(?<=[^_])_+([^_])/g, (_, letter: string) => letter.toUpperCase())
}

/** The name for the entity of a table whose own name belongs to a table of another schema. */
export function longerEntityName({
  name,
  schema,
}: {
  readonly name: string
  readonly schema: string
}): string {
  return graphqlName(`${schema}_${name}`)
}

/** The first of `wanted` that is free, then the last one with a number; marks it as taken. */
export function takeName(wanted: readonly string[], taken: Set<string>): string {
  const last = wanted.at(-1) ?? 'n'
  let name = wanted.find((candidate) => !taken.has(candidate))
  for (let number = 2; name === undefined; number += 1) {
    if (!taken.has(`${last}_${number}`)) name = `${last}_${number}`
  }
  taken.add(name)
  return name
}

/** Names for the field that holds the row a foreign key points to, the first choice first. */
export function referenceFieldNames(key: ForeignKey, referencedEntity: string): readonly string[] {
  const column = graphqlName(key.columns.at(-1) ?? '')
  const withoutId = column.replace(/(?:_id|Id)$/, '') || column
  return [lowerFirst(referencedEntity), withoutId, `${withoutId}Ref`]
}

/** Names for the field that holds the rows that point here, the first choice first. */
export function collectionFieldNames(key: ForeignKey, referencingEntity: string): readonly string[] {
  const collection = `${lowerFirst(referencingEntity)}Collection`
  return [
    collection,
    `${collection}By${key.columns.map((column) => upperFirst(graphqlName(column))).join('')}`,
  ]
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
