import type { TableNames } from '../database/table-names.ts'

/** The names of the two fields that a foreign key makes. */
export interface RelationNames {
  /** Of the field that holds the row it points to. */
  readonly reference: string
  /** Of the field that holds the rows that point here. */
  readonly collection: string
}

/** By what tells a foreign key from all others. */
export type GivenRelationNames = Readonly<Record<string, RelationNames>>

/** The names in GraphQL that clients know, also those of tables and foreign keys that are not there now. */
export interface GivenNames {
  readonly tables: TableNames
  /** For each way of naming fields. */
  readonly relations: Readonly<Record<string, GivenRelationNames>>
}

/** What versions kept that did not keep the names of tables: relations by a key that depends on the order of the schemas. */
export interface FormerNames {
  readonly relations: GivenRelationNames
}
