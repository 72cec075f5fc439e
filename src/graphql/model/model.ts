/** The bridge between the database and the schema: what the API calls things, and where they are. */
import type { Column, Table } from '../../database/database-schema.ts'
import type { Filterable } from '../../query/filterable.ts'
import type { ChosenNames, GivenNames } from '../../store/given-names.ts'
import type { LongerName, RefusedName } from './name-tables.ts'

/** Two rows belong together where these columns of both are equal, one by one. */
export interface Link {
  /** The columns on the side of the type that has the field. */
  readonly own: readonly Column[]
  /** The columns on the other side. */
  readonly other: readonly Column[]
}

export type EntityField =
  | {
      readonly kind: 'scalar'
      readonly name: string
      readonly column: Column
      /** Whether a person chose the name. */
      readonly isChosen?: boolean
    }
  /** The row that a foreign key points to; `target` is an entity's name. */
  | RelationField<'reference'>
  /** The rows whose foreign key points here. */
  | RelationField<'collection'>

interface RelationField<Kind> {
  readonly kind: Kind
  readonly name: string
  readonly target: string
  readonly link: Link
  /** What tells the foreign key from all others. */
  readonly relation: string
  readonly isChosen?: boolean
}

export interface EntityType {
  /** The root field's name, for example `Port`. */
  readonly name: string
  readonly table: Table
  /** Whether a person chose the name. */
  readonly isChosen?: boolean
  /** The columns that make the global id; empty where the table has no key. */
  readonly key: readonly Column[]
  /** By name: columns first, then references, then collections. */
  readonly fields: ReadonlyMap<string, EntityField>
  readonly filterable: Filterable
}

export interface GraphqlModel {
  /** By name. */
  readonly entities: ReadonlyMap<string, EntityType>
  /** All names that were given up to now. */
  readonly names: GivenNames
  /** Tables that got their names now, and not those they would have. */
  readonly longerNames: readonly LongerName[]
  /** What the configuration chooses. */
  readonly configured: ChosenNames
  /** Chosen names that something else has. */
  readonly refusedNames: readonly RefusedName[]
  /** Sentences about names of the configuration that are for nothing that is there. */
  readonly unusedNames: readonly string[]
  /** The names that entities had before, or would have had no name been chosen, with what they are called now. */
  readonly earlierNames: ReadonlyMap<string, string>
}
