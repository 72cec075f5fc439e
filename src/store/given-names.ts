import type { TableNames } from '../database/table-names.ts'

/** The names of the two fields that a foreign key makes. */
export interface RelationNames {
  /** Of the field with the referenced row. */
  readonly reference: string
  /** Of the field with the referring rows. */
  readonly collection: string
}

/** By the key of a foreign key; one with a chosen name need not have both. */
export type GivenRelationNames = Readonly<Record<string, Partial<RelationNames>>>

/** The names of the fields of columns, by the key of the table and the column. */
export type GivenColumnNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Chosen names, by the key of what they name: a table, a column of a table, a foreign key. */
export interface ChosenNames {
  readonly tables: TableNames
  readonly columns: GivenColumnNames
  readonly references: Readonly<Record<string, string>>
  readonly collections: Readonly<Record<string, string>>
}

/** The names in GraphQL that clients know, including those of tables, columns and foreign keys that do not exist now. */
export interface GivenNames {
  readonly tables: TableNames
  /** For each way of naming fields. */
  readonly relations: Readonly<Record<string, GivenRelationNames>>
  /** For each way of naming fields; absent if an older version stored the names, without those of columns. */
  readonly columns?: Readonly<Record<string, GivenColumnNames>>
  /** Those that were chosen by command; absent if there are none yet. */
  readonly chosen?: ChosenNames
  /**
   * The owners of all names that were ever chosen, including replaced ones: those of tables, and by the key of a table
   * those of its fields. Absent if there are none yet.
   */
  readonly owned?: OwnedNames
}

export interface OwnedNames {
  /** Keys of tables, by name. */
  readonly tables: Readonly<Record<string, string>>
  /** Keys of fields, by the key of the table and the name. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What older versions stored, without the names of tables. */
export interface FormerNames {
  /** By a key that depends on the order of the schemas; absent if this way of naming fields was not used. */
  readonly relations?: Readonly<Record<string, RelationNames>>
}
