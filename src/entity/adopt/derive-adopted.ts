/** Derives the definition with which a table of another program becomes an entity as it is, or says why it cannot. */
import * as v from 'valibot'
import type { Column, Table } from '../../database/database-schema.ts'
import { entityNameSchema, fieldNameSchema } from '../definition/names.ts'
import { isUnique, referenceOf } from '../plan/drift.ts'
import type { DerivedDefinition } from './derive-definition.ts'
import { fieldTypesOver, keyTypes } from './foreign-columns.ts'

/**
 * Derives a definition named `id`; `isEntity` says which tables are entities, so that it may refer to them, `elsewhere`
 * that the table is in another schema than the first.
 */
export function deriveAdopted(
  table: Table,
  isEntity: (table: string) => boolean,
  elsewhere = false,
): DerivedDefinition {
  const nameMistake = mistakeIn(entityNameSchema, table.id)
  if (nameMistake !== undefined) return { refused: [nameMistake] }
  const key = keyOf(table)
  if (key === undefined) {
    const detail =
      'The table has no primary key, and no unique key without nulls: its rows cannot be told apart. It is served in GraphQL as it is.'
    return { refused: [detail] }
  }
  const columns = [...table.columns.values()]
  const refused = columns.filter(({ name }) => key.includes(name)).flatMap(keyMistakes)
  if (refused.length > 0) return { refused }
  const named = columns.map((column) => ({ column, mistake: mistakeIn(fieldNameSchema, column.name) }))
  const leftOut = named.filter(({ mistake }) => mistake !== undefined)
  const fields = named.filter(({ mistake }) => mistake === undefined).map(({ column }) => column)
  const isReference = ({ name }: Column) => {
    const reference = referenceOf(table, name)
    return reference !== undefined && isEntity(reference.referencedTable)
  }
  const isIdentifier = (column: Column) =>
    key.length === 1 && key[0] === column.name && !isReference(column) && isPlain(column)
  const identifier = fields.find(isIdentifier)
  const others = fields.filter((column) => column !== identifier)
  return {
    warnings: [
      ...leftOut.map(({ column, mistake }) => `The column "${column.name}" is left out. ${mistake}`),
      ...fields.filter(({ written }) => written === 'never').map(readOnlyWarning),
    ],
    definition: {
      name: table.id,
      adopted: {
        key,
        ...(elsewhere && { schema: table.schema, ...(table.name !== table.id && { table: table.name }) }),
        ...(leftOut.length > 0 && { left_out: leftOut.map(({ column }) => column.name) }),
      },
      attributes: {
        ...(identifier !== undefined && { identifier: identifierOf(identifier) }),
        local_fields: others
          .filter((column) => !isReference(column))
          .map((column) => fieldOf(column, table, key)),
        ref_fields: others.filter(isReference).map((column) => ({
          ...fieldOf(column, table, key),
          ref_class: referenceOf(table, column.name)?.referencedTable,
          ref_class_field: referenceOf(table, column.name)?.referencedColumns[0],
        })),
      },
    },
  }
}

/** The primary key, otherwise the unique key with the fewest columns and without nulls. */
function keyOf({ primaryKey, uniqueKeys, columns }: Table): readonly string[] | undefined {
  if (primaryKey.length > 0) return primaryKey
  return uniqueKeys
    .filter((key) => key.every((name) => columns.get(name)?.nullable === false))
    .toSorted((a, b) => a.length - b.length)[0]
}

function keyMistakes({ name, type, nativeType, shownAlike }: Column): readonly string[] {
  const mistake = mistakeIn(fieldNameSchema, name)
  if (mistake !== undefined) return [`The column "${name}" of the key cannot be a field. ${mistake}`]
  if (shownAlike) {
    return [
      `The column "${name}" of the key is of type ${nativeType}, and different values of it are shown alike: records cannot be told apart by it. The table is served in GraphQL as it is.`,
    ]
  }
  if (keyTypes.has(type)) return []
  return [
    `The column "${name}" of the key is of type ${nativeType}, which cannot be part of a path. The table is served in GraphQL as it is.`,
  ]
}

function mistakeIn(schema: typeof fieldNameSchema, name: string): string | undefined {
  const reading = v.safeParse(schema, name)
  return reading.success ? undefined : reading.issues[0].message
}

function readOnlyWarning({ name, nativeType }: Column): string {
  return `The column "${name}" of type ${nativeType} is read only.`
}

/** Whether the column can be the identifier, whose definition has only a type. */
function isPlain(column: Column): boolean {
  const [type] = fieldTypesOver(column)
  return type === 'string' || type === 'integer'
}

function identifierOf(column: Column): Readonly<Record<string, unknown>> {
  const [type] = fieldTypesOver(column)
  return {
    field_name: column.name,
    field_type: type,
    field_column: column.nativeType,
    field_immutable: true,
  }
}

function fieldOf(column: Column, table: Table, key: readonly string[]): Readonly<Record<string, unknown>> {
  const [type] = fieldTypesOver(column)
  return {
    field_name: column.name,
    field_type: type,
    field_column: column.nativeType,
    field_nullable: column.nullable,
    field_unique: isUnique(table, column.name),
    // The address of a record is immutable, unless the definition says otherwise.
    ...(key.includes(column.name) && { field_immutable: true }),
  }
}
