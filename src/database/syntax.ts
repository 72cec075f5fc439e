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
  /**
   * A condition that is always true and lets a running statement notice that it is to end, for the table that
   * goes by `alias`; undefined where the database can be told from outside.
   */
  goOn(table: Table, alias: string): SqlFragment<never> | undefined
  /** What to compare and sort by so that the order is the same on every product; for most columns the column itself. */
  sortKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value>
  /** One term of `order by` over a sort key. Nulls count as lower than any value, on every product. */
  orderTerm(sortKey: SqlFragment<never>, direction: 'asc' | 'desc', nullable: boolean): SqlFragment<never>
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
