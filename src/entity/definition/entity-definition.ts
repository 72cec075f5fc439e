/** What a person uploads, parsed: the seed of a table, its rules and its published API. */
import type { DefaultExpression } from './default-expression.ts'
import type { FieldTypeName } from './field-types/index.ts'

export interface EntityDefinition {
  readonly category: string
  readonly name: string
  /** The name it had before; heeded while an entity of that name is stored, and none of this one. */
  readonly renamedFrom: string | undefined
  /** The segment below `/apis/` that is chosen for it; undefined where it is made of the name. */
  readonly resource: string | undefined
  /** Whether it wants a table; with `abstract` it gets none all the same. */
  readonly persistence: boolean
  readonly abstract: boolean
  /** Whether its table gets a published API. */
  readonly apiGeneration: boolean
  /** What is said of a table that others made; undefined for one that is made by the definition. */
  readonly adopted: AdoptedTable | undefined
  /** Names of the fields that together find a record: the identifier, or the key of an adopted table. */
  readonly key: readonly string[]
  /** The identifier, then local fields, then references: the order of the definition. */
  readonly fields: readonly EntityField[]
}

/** A table that is not ours: it has none of the columns that all tables of entities have, and nothing in it is changed. */
export interface AdoptedTable {
  /** The schema it lies in; undefined for the first of those that are served. */
  readonly schema: string | undefined
  /** Its name there, where that is not the entity's. */
  readonly table: string | undefined
  /** Columns that are no fields. */
  readonly leftOut: readonly string[]
}

export interface EntityField {
  readonly kind: 'identifier' | 'local' | 'reference'
  /** JSON pointer from the definition to the field. */
  readonly pointer: string
  readonly name: string
  /** The name it had before; heeded while the stored definition has it, and not this one. */
  readonly renamedFrom: string | undefined
  readonly type: FieldTypeName
  /** Whether it has a column. */
  readonly persistence: boolean
  /** The type, as the database calls it, of a column that was there before the definition; undefined for one of ours. */
  readonly column: string | undefined
  readonly nullable: boolean
  readonly immutable: boolean
  readonly unique: boolean
  readonly default: DefaultExpression | undefined
  /** The JSON values that are allowed; undefined where all are. */
  readonly enum: readonly unknown[] | undefined
  readonly reference: EntityReference | undefined
}

/** The field of an entity that a reference holds the value of. */
export interface EntityReference {
  readonly entity: string
  readonly field: string
}

/** Whether an entity has a table. */
export function hasTable({ persistence, abstract }: EntityDefinition): boolean {
  return persistence && !abstract
}

/** Whether an entity has a published API. */
export function isPublished(definition: EntityDefinition): boolean {
  return hasTable(definition) && definition.apiGeneration
}

/** The fields that are columns of the entity's table. */
export function columnFields({ fields }: EntityDefinition): readonly EntityField[] {
  return fields.filter(({ persistence }) => persistence)
}
