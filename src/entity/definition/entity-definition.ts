/** A parsed entity definition: the source of a table, its rules and its published API. */
import type { DefaultExpression } from '../../record/record-rules.ts'
import type { FieldTypeName } from './field-types/index.ts'

export interface EntityDefinition {
  readonly category: string
  readonly name: string
  /** Its former name; it takes effect while an entity of that name is stored, and none of this one. */
  readonly renamedFrom: string | undefined
  /** The chosen segment below `/apis/`; undefined if it comes from the name. */
  readonly resource: string | undefined
  /** Whether it wants a table; with `abstract` it gets none. */
  readonly persistence: boolean
  readonly abstract: boolean
  /** Whether its table gets a published API. */
  readonly apiGeneration: boolean
  /** Data about an adopted table; undefined for one that is made from the definition. */
  readonly adopted: AdoptedTable | undefined
  /** Names of the fields that together identify a record: the identifier, or the key of an adopted table. */
  readonly key: readonly string[]
  /** The identifier, then local fields, then references: the order of the definition. */
  readonly fields: readonly EntityField[]
}

/** An adopted table: it has no system columns, and nothing in it is changed. */
interface AdoptedTable {
  /** Its schema; undefined for the first of the served ones. */
  readonly schema: string | undefined
  /** Its name there, if it differs from the entity's. */
  readonly table: string | undefined
  /** Columns that are not fields. */
  readonly leftOut: readonly string[]
}

export interface EntityField {
  readonly kind: 'identifier' | 'local' | 'reference'
  /** JSON pointer from the definition to the field. */
  readonly pointer: string
  readonly name: string
  /** Its former name; it takes effect while the stored definition has that field, and not this one. */
  readonly renamedFrom: string | undefined
  readonly type: FieldTypeName
  /** Whether it has a column. */
  readonly persistence: boolean
  /** The database type of a column that existed before the definition; undefined for one of the gateway. */
  readonly column: string | undefined
  readonly nullable: boolean
  readonly immutable: boolean
  readonly unique: boolean
  readonly default: DefaultExpression | undefined
  /** The allowed JSON values; undefined if all are. */
  readonly enum: readonly unknown[] | undefined
  readonly reference: EntityReference | undefined
}

/** The field of an entity to which a reference refers. */
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
