import type { Column, Table } from './database-schema.ts'
import type { SqlValue } from './driver.ts'
import type { SqlFragment } from './sql.ts'

/** What a transaction keeps others from doing with a row: `shared` from changing it, `exclusive` from locking it as well. */
export type RowLock = 'shared' | 'exclusive'

/** How one product writes what the query compiler asks for. `standard-syntax.ts` holds what most agree on. */
export interface Syntax {
  quoteIdentifier(name: string): string
  /** A table as statements name it, with its schema where it has one. */
  quoteTable(table: Pick<Table, 'name' | 'schema'>): string
  /** The placeholder at a position, counted from 1. */
  placeholder(position: number): string
  /** ` limit … offset …`, or nothing where neither is given. */
  limitOffset<Value>(
    limit: SqlFragment<Value> | undefined,
    offset: SqlFragment<Value> | undefined,
  ): SqlFragment<Value>
  /**
   * What stands at the end of a select that locks its rows until the transaction ends, and reads the newest of each:
   * `exclusive` for one who is about to change them, `shared` for one who relies on nobody else doing so. Empty where
   * a transaction is the only writer anyway.
   */
  readonly rowLock: Readonly<Record<RowLock, string>>
  /** How an insert tells the keys of its rows: by `returning` at its end, or the last number that was given, by a query. */
  readonly insertedKeys: { readonly by: 'returning' } | { readonly by: 'lastNumber'; readonly query: string }
  /** What stands behind the table in an insert of a row of which nothing is written. */
  readonly emptyRow: string
  /** Whether an index is entered by a comparison of rows such as `(a, b) > (?, ?)`. */
  readonly comparesRowsByIndex: boolean
  /**
   * Reads a column in the form that every product's rows have: 64-bit integers and decimals as text
   * without loss, dates as `YYYY-MM-DD hh:mm:ss[.ffffff]`, anything unknown as text.
   */
  readColumn(column: Column, expression: SqlFragment<never>): SqlFragment<never>
  /** The text that a column of lists (`Column.items`) takes for JSON text; present where there are such columns. */
  readonly listText?: (column: Column, json: string) => string
  /**
   * A condition that is always true and lets a running statement notice that it is to end, for the table that
   * goes by `alias`; undefined where the database can be told from outside.
   */
  cancellationCheck(table: Table, alias: string): SqlFragment<never> | undefined
  /**
   * What rows are sorted by, and cursors compared with: the column itself, given back as it is, unless it is to sort alike
   * on every product (`Column.portableOrder`) and does not by itself. Takes a value as `storedForm` reads it, too.
   */
  sortKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value>
  /** What `<`, `<=`, `>` and `>=` of a filter compare: a column with a value of a request. */
  comparedKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value>
  /** One term of `order by` over a sort key. Nulls stand where `nullsLowest` says. */
  orderTerm(sortKey: SqlFragment<never>, direction: 'asc' | 'desc', column: Column): SqlFragment<never>
  /**
   * What stands behind `from` where the product sorts all rows for an order whose terms run in different directions: the
   * rows up to the last of those that an index on the first term gives first, and what has the same value there.
   */
  readonly fromLeading?: <Value>(leading: LeadingRows<Value>) => SqlFragment<Value>
  /** Whether nulls sort lower than any value of the column; otherwise higher. */
  nullsLowest(column: Column): boolean
  /** Whether an index on the column has its nulls where `nullsLowest` says. */
  sortsNullsByIndex(column: Column): boolean
  /**
   * Reads a column whose values are to be had as they are stored (`Column.storedApart`): a text behind `t`, a whole number
   * as text behind `i`, any other number as a number, bytes as bytes.
   */
  storedForm(column: Column, expression: SqlFragment<never>): SqlFragment<never>
  /** Whether `expression` is exactly `value`: texts that differ in case, accents or blanks at the end are not equal. */
  equals<Value>(column: Column, expression: SqlFragment<Value>, value: SqlFragment<Value>): SqlFragment<Value>
  /** Whether an index on the column finds what `equals` asks for; present where it matters that a row is found by its key. */
  readonly equalsByIndex?: (column: Column) => boolean
  /** Whether the column is shown as null; `negated`, whether it is not. */
  isNull(column: Column, expression: SqlFragment<never>, negated: boolean): SqlFragment<never>
  /**
   * Whether `expression` equals one of the values of `list`, which is bound as `listParameter` makes it; `odd` ones may be
   * none of the column's type.
   */
  inList<Value>(
    column: Column,
    expression: SqlFragment<Value>,
    list: SqlFragment<Value>,
    odd?: true,
  ): SqlFragment<Value>
  /** Whether a short list is compared with faster as one `equals` for each of its values than by `inList`. */
  readonly spellsOutLists: boolean
  /** Literal, case-sensitive tests of text, without wildcards. */
  startsWith<Value>(
    column: Column,
    expression: SqlFragment<Value>,
    lower: SqlFragment<Value>,
    upper: SqlFragment<Value> | undefined,
  ): SqlFragment<Value>
  endsWith<Value>(
    column: Column,
    expression: SqlFragment<Value>,
    text: SqlFragment<Value>,
  ): SqlFragment<Value>
  contains<Value>(
    column: Column,
    expression: SqlFragment<Value>,
    text: SqlFragment<Value>,
  ): SqlFragment<Value>
  /** A list of values as one bound value. */
  listParameter(values: readonly SqlValue[]): SqlValue
  /** A list of keys (each a list of as many values as the key has columns) as one bound value. */
  keyListParameter(keys: readonly (readonly SqlValue[])[]): SqlValue
  /** The rows of a table for many keys at once, in one statement. */
  selectByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value>
  /**
   * The same for a single key, where a product does better with one such select for each key, all in one statement, than
   * with one select for all; only for selects with a limit. What it gives is put behind `select` and the key's position, and
   * these are joined by `union all`. `parts` are those of the key. Undefined for keys for which that does not hold.
   */
  readonly selectByKey?: <Value>(
    select: Omit<KeyedSelect<Value>, 'keys'>,
    parts: readonly SqlFragment<Value>[],
  ) => SqlFragment<Value> | undefined
  /** How many rows of a table belong to each of a list of keys: the key's position and the number, where it is not 0. */
  countByKeys<Value>(
    select: Pick<KeyedSelect<Value>, 'table' | 'alias' | 'keyColumns' | 'keys' | 'where'>,
  ): SqlFragment<Value>
}

/** The first rows of a table by one column. */
export interface LeadingRows<Value> {
  /** The table, quoted. */
  readonly table: string
  readonly alias: string
  /** The column, by the alias. */
  readonly column: SqlFragment<never>
  /** `column`, with its direction. */
  readonly order: SqlFragment<never>
  readonly where: SqlFragment<Value> | undefined
  readonly limit: SqlFragment<Value>
}

/**
 * Asks for the rows that belong to each of a list of keys. The first column of the answer, named
 * `k`, is the position of the key in the list, counted from 0; rows come sorted by it and then by `orderBy`.
 */
export interface KeyedSelect<Value> {
  /** The table, quoted. */
  readonly table: string
  /** The name by which `columns`, `where` and `orderBy` mean the table. */
  readonly alias: string
  /** The columns that are compared with the key. */
  readonly keyColumns: readonly Column[]
  /** Columns that tell rows apart (a key of the table); empty where the table has none. */
  readonly rowKey: readonly Column[]
  /** The list of keys, bound as `keyListParameter` makes it. */
  readonly keys: SqlFragment<Value>
  readonly columns: readonly SqlFragment<Value>[]
  readonly where: SqlFragment<Value> | undefined
  readonly orderBy: readonly SqlFragment<Value>[]
  /** Limit and offset count per key, not over all. */
  readonly limit: SqlFragment<Value> | undefined
  readonly offset: SqlFragment<Value> | undefined
}
