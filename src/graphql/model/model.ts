/** Maps the database to the schema: the names in the API, and the tables and columns behind them. */
import type { Column, Table } from '../../database/database-schema.ts'
import type { TableRights } from '../../query/filter.ts'
import type { Filterable } from '../../query/filterable.ts'
import type { ChosenNames, GivenNames } from '../../store/given-names.ts'
import type { LongerName, RefusedName } from './name-tables.ts'

/** Two rows are related if these columns are equal, pair by pair. */
export interface Link {
  /** The columns of the type that has the field. */
  readonly own: readonly Column[]
  /** The columns of the other type. */
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
  /** The row that a foreign key references; `target` is an entity's name. */
  | RelationField<'reference'>
  /** The rows whose foreign key references this row. */
  | RelationField<'collection'>

interface RelationField<Kind> {
  readonly kind: Kind
  readonly name: string
  readonly target: string
  readonly link: Link
  /** The id of the foreign key. */
  readonly relation: string
  readonly isChosen?: boolean
}

export interface EntityType {
  /** The root field's name, for example `Port`. */
  readonly name: string
  readonly table: Table
  /** What the caller may read of the table; undefined for everything. */
  readonly rights: TableRights | undefined
  /**
   * Present if rows without a key are sorted by all columns, also where no part of a list is asked for: the order in which the
   * database finds them may be that of a column that the caller does not see.
   */
  readonly sortsWholeLists?: true
  /** Whether a person chose the name. */
  readonly isChosen?: boolean
  /** The columns of the global id; empty if the table has no key. */
  readonly key: readonly Column[]
  /** By name: columns first, then references, then collections. */
  readonly fields: ReadonlyMap<string, EntityField>
  readonly filterable: Filterable
}

export interface GraphqlModel {
  /** By name. */
  readonly entities: ReadonlyMap<string, EntityType>
  /** All names that were given so far. */
  readonly names: GivenNames
  /** Tables that got a longer name because the one they would have was taken. */
  readonly longerNames: readonly LongerName[]
  /** The names that the configuration chooses. */
  readonly configured: ChosenNames
  /** Chosen names that are taken. */
  readonly refusedNames: readonly RefusedName[]
  /** Sentences about names in the configuration whose target does not exist. */
  readonly unusedNames: readonly string[]
  /** Names that entities had before, or would have without a chosen name, with their current names. */
  readonly earlierNames: ReadonlyMap<string, string>
}
