import type { TableNames } from '../database/table-names.ts'

/** The names of the two fields that a foreign key makes. */
export interface RelationNames {
  /** Of the field that holds the row it points to. */
  readonly reference: string
  /** Of the field that holds the rows that point here. */
  readonly collection: string
}

/** By what tells a foreign key from all others; one that a person chose a name for need not have another. */
export type GivenRelationNames = Readonly<Record<string, Partial<RelationNames>>>

/** The names of the fields of columns, by the key of the table and the column. */
export type GivenColumnNames = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Names that people chose, each by what tells it from all others: a table, a column of a table, a foreign key. */
export interface ChosenNames {
  readonly tables: TableNames
  readonly columns: GivenColumnNames
  readonly references: Readonly<Record<string, string>>
  readonly collections: Readonly<Record<string, string>>
}

/** The names in GraphQL that clients know, also those of tables, columns and foreign keys that are not there now. */
export interface GivenNames {
  readonly tables: TableNames
  /** For each way of naming fields. */
  readonly relations: Readonly<Record<string, GivenRelationNames>>
  /** For each way of naming fields; absent where a version kept the names that did not keep those of columns. */
  readonly columns?: Readonly<Record<string, GivenColumnNames>>
  /** Those that were chosen by command; absent where none was yet. */
  readonly chosen?: ChosenNames
  /**
   * Whose the names are that were ever chosen, also where another one was chosen since: those of tables, and by the key
   * of a table those of its fields. Absent where none was yet.
   */
  readonly owned?: OwnedNames
}

export interface OwnedNames {
  /** Keys of tables, by name. */
  readonly tables: Readonly<Record<string, string>>
  /** What tells a field from the others of its table, by the key of the table and the name. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What versions kept that did not keep the names of tables. */
export interface FormerNames {
  /** By a key that depends on the order of the schemas; absent where this way of naming fields was not used. */
  readonly relations?: Readonly<Record<string, RelationNames>>
}
