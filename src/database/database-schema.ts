/**
 * The tables of a database, in the same form for every product. `dialects/<product>/introspect.ts` reads them from the
 * database's catalogue.
 */

/**
 * The type of a column's values, as far as the code above a dialect needs to know it. `integer` fits 32 bits, `bigint`
 * 64; `boolean` is a native boolean, not the integer column of an entity definition; `other` is shown by the
 * database's own text form.
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

/**
 * How a column that accepts values of any kind converts them: numeric texts to numbers, numbers to texts, or not at
 * all.
 */
export type Affinity = 'numeric' | 'text' | 'none'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** The type as the database calls it. */
  readonly nativeType: string
  /** The only values of a type that lists them, an enum of the database, in its order. */
  readonly listed?: readonly string[]
  /** Present if its declaration takes less than its type: what the database refuses, rounds or cuts. */
  readonly size?: ColumnSize
  /** An unsigned `bigint`: its values go up to twice as far. */
  readonly unsigned?: boolean
  readonly nullable: boolean
  readonly hasDefault: boolean
  /**
   * Present if requests do not write it like other columns: `never`, because the database computes the value or no
   * value in a request has its form; `numbered` if the database generates the next number by default.
   */
  readonly written?: 'never' | 'numbered'
  /**
   * Of a `json` whose values are arrays of a type of the database: whether their items are single values, in nested
   * arrays of equal lengths, or any JSON.
   */
  readonly items?: 'values' | 'json'
  /**
   * Present if it may contain what other products cannot: infinite values, NaN, dates before the year 1 or after 9999.
   */
  readonly unbounded?: true
  /** Present if it may contain dates whose year, month or day is 0. */
  readonly zeroDates?: true
  /** Present if it may contain texts with NUL. */
  readonly withNul?: true
  /**
   * Of the row number of a table with a key: it is read only where one of these columns of the key is null, since the key
   * tells the other rows apart, and the number would tell how many rows there are.
   */
  readonly onlyWithout?: readonly string[]
  /** Of a `float`: its numbers have 32 bits. */
  readonly single?: true
  /** Present if it may contain values of any kind, whatever its type: how it converts a value that is stored. */
  readonly loose?: Affinity
  /**
   * Present if its values sort alike on every product: texts by code point, nulls lowest. Others sort by the rules of
   * the database.
   */
  readonly portableOrder?: true
  /**
   * Present if different stored values may be shown alike, or compare differently than they are shown: cursors and
   * GlobalIds contain what `Syntax.storedForm` reads.
   */
  readonly storedApart?: true
  /** Present if values that a key holds apart may be shown alike: no record is named by them. */
  readonly shownAlike?: true
  /** Present on a column that is compared with keys of another type: the column whose values they are. */
  readonly keysOf?: Column
  /** Present on the column of a statement's rows that is read by `Syntax.storedForm`. */
  readonly isStoredForm?: true
  /** The column's comment in the database. */
  readonly comment?: string
  /** Present if it is no column of the table, but stands for values inside the JSON of one. */
  readonly inside?: JsonPart
}

/** How large the values of a column may be, or the items of its arrays, as it is declared. */
export interface ColumnSize {
  /** The most characters of a text. */
  readonly characters?: number
  /** The least and the most bytes of a text or of binary data. */
  readonly bytes?: readonly [least: number, most: number]
  /** The most digits of a number before and after its point; one of them may be negative: that many zeros are next to the point. */
  readonly digits?: readonly [before: number, after: number]
  /** The least and the greatest whole number. */
  readonly range?: readonly [least: number, greatest: number]
  /** The most digits after the second. */
  readonly secondDigits?: number
}

/** Keys of objects, and indexes of arrays, counted from 0. */
export type JsonPath = readonly (string | number)[]

/**
 * Values inside the JSON of a column: those of one kind, others are null. A number is a floating-point number, true and
 * false are 1 and 0. `any` is what is neither missing nor null, as a text.
 */
export interface JsonPart {
  readonly of: Column
  readonly path: JsonPath
  readonly kind: 'string' | 'number' | 'boolean' | 'any'
}

export interface ForeignKey {
  readonly columns: readonly string[]
  /** The `id` of the table. */
  readonly referencedTable: string
  readonly referencedColumns: readonly string[]
}

export interface Table {
  /** A unique id: the name of the table, if it is in the schema of names without one. */
  readonly id: string
  readonly name: string
  /** Its schema, if the product has schemas. */
  readonly schema?: string
  readonly kind: 'table' | 'view'
  /** Present if changes of its rows cannot be rolled back. */
  readonly isPermanent?: true
  /**
   * Present if a statement that writes its rows leaves them as it says, but for spaces at the end of a text, and for references that foreign keys change
   * with what they refer to; and no code of the database runs for it: there are no triggers, rules, row policies or tables below it. Nor has it constraints that are checked only at the commit.
   * Absent if that is not known.
   */
  readonly isPlain?: true
  /** Present if a constraint says that a conflict replaces or drops rows; statements have to say that they are to be refused instead. */
  readonly resolvesConflicts?: true
  /** Present if each row has a row number in addition to its columns. */
  readonly rowNumbered?: true
  /** The row number as a column, if it is needed to identify rows: there is no key, or the key may contain nulls. */
  readonly rowNumber?: Column
  /** In the order of the database. */
  readonly columns: ReadonlyMap<string, Column>
  /** Empty if there is none. */
  readonly primaryKey: readonly string[]
  /** Unique keys other than the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The leading columns of indexes; absent if statements do not depend on them. */
  readonly indexed?: ReadonlySet<string>
  /** The table's comment in the database. */
  readonly comment?: string
}

/** Something in the database that cannot be served, with the reason; everything else is served. */
export interface LeftOut {
  /** For people: `table "a"`, `column "b" of table "a"`. */
  readonly what: string
  readonly reason: string
}

export interface DatabaseSchema {
  /** By id, sorted by it. */
  readonly tables: ReadonlyMap<string, Table>
  readonly leftOut: readonly LeftOut[]
  /** The schemas that are served, in the configured order; absent if the product has none. */
  readonly schemas?: readonly string[]
}
