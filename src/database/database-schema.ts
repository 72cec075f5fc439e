/**
 * The tables found in a database, in one shape for every product. `dialects/<product>/introspect.ts`
 * reads it from the database's own catalogue.
 */

/**
 * What a column holds, as far as the code above a dialect needs to know it.
 * `integer` fits 32 bits, `bigint` 64; `boolean` is a native boolean, not the integer column of an
 * entity definition; `other` is shown by the database's own text form.
 */
export type ColumnType =
  | 'string'
  | 'uuid'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'json'
  | 'binary'
  | 'other'

/** What a column that takes values of any kind converts: texts that read as numbers, numbers to texts, or nothing. */
export type Affinity = 'numeric' | 'text' | 'none'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** The type as the database calls it. */
  readonly nativeType: string
  /** A `bigint` that has no sign: its values go up to twice as far. */
  readonly unsigned?: boolean
  readonly nullable: boolean
  readonly hasDefault: boolean
  /**
   * Who writes it, where that is not only who writes the row: `never` a request, because the database computes the value
   * or no value of a request has its form; `numbered`, where nothing is written, the database takes the next number.
   */
  readonly written?: 'never' | 'numbered'
  /**
   * Of a `json` whose values are lists of a type of the database's own: whether their items are single values, in nested
   * lists of equal lengths, or any JSON.
   */
  readonly items?: 'values' | 'json'
  /** Present where it may hold what other products cannot: infinite values, no-numbers, dates before the year 1 or after 9999. */
  readonly unbounded?: true
  /** Present where it may hold dates of which the year, the month or the day is 0. */
  readonly zeroDates?: true
  /** Present where it may hold texts with NUL. */
  readonly withNul?: true
  /** Of a `float`: its numbers have 32 bits. */
  readonly single?: true
  /** Present where it may hold values of any kind, whatever its type: what it makes of a value when that is stored. */
  readonly loose?: Affinity
  /** Present where its values sort alike on every product: texts by code point, nulls lowest. Others sort as the database does by itself. */
  readonly portableOrder?: true
  /**
   * Present where rows may hold values that what is shown of them does not tell apart, or not as the database compares
   * them: cursors and GlobalIds hold what `Syntax.storedForm` reads.
   */
  readonly storedApart?: true
  /** Present on the column of a statement's rows that is read by `Syntax.storedForm`. */
  readonly isStoredForm?: true
  /** What the database's own comment says of it. */
  readonly comment?: string
}

export interface ForeignKey {
  readonly columns: readonly string[]
  /** The `id` of the table. */
  readonly referencedTable: string
  readonly referencedColumns: readonly string[]
}

export interface Table {
  /** What no other table of the database has: the name, where the table lies in the schema that names without one mean. */
  readonly id: string
  readonly name: string
  /** The schema that it lies in, where the product has schemas. */
  readonly schema?: string
  readonly kind: 'table' | 'view'
  /** Present where each row has a number of its own besides its columns. */
  readonly rowNumbered?: true
  /** The row's own number as a column, where it is needed to tell rows apart: no key does, or a key may hold nulls. */
  readonly rowNumber?: Column
  /** In the order of the database. */
  readonly columns: ReadonlyMap<string, Column>
  /** Empty where there is none. */
  readonly primaryKey: readonly string[]
  /** Unique keys other than the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The columns that an index begins with; absent where statements do not depend on them. */
  readonly indexed?: ReadonlySet<string>
  /** What the database's own comment says of it. */
  readonly comment?: string
}

/** Something in the database that cannot be served, and why; it stops nothing else. */
export interface LeftOut {
  /** For people: `table "a"`, `column "b" of table "a"`. */
  readonly what: string
  readonly reason: string
}

export interface DatabaseSchema {
  /** By id, sorted by it. */
  readonly tables: ReadonlyMap<string, Table>
  readonly leftOut: readonly LeftOut[]
  /** The schemas that are served, in the order in which they were named; absent where the product has none. */
  readonly schemas?: readonly string[]
}
