import type { AggregateSyntax } from './aggregate-syntax.ts'
import type { Column, JsonPart, Table } from './database-schema.ts'
import type { SqlFragment } from './sql.ts'
import type { SqlValue } from './sql-value.ts'

/**
 * What a transaction prevents others from doing with a row: `shared` from changing it, `exclusive` from locking it as
 * well, `held` what it prevents already.
 */
export type RowLock = 'shared' | 'exclusive' | 'held'

/** How one product writes what the query compiler needs. `standard-syntax.ts` has what most products share. */
export interface Syntax {
  quoteIdentifier(name: string): string
  /** A table in statements, with its schema if it has one. */
  quoteTable(table: Pick<Table, 'name' | 'schema'>): string
  /**
   * Present where a select in parentheses loses the names of some columns: what selects read in place of a table, in which they have other
   * names, and these names, quoted.
   */
  readonly renamed?: {
    readonly table: (table: Table) => string
    readonly column: (name: string) => string
  }
  /** The placeholder at a position, counted from 1. */
  placeholder(position: number): string
  /** ` limit … offset …`, or nothing if neither is given. */
  limitOffset<Value>(
    limit: SqlFragment<Value> | undefined,
    offset: SqlFragment<Value> | undefined,
  ): SqlFragment<Value>
  /**
   * The end of a select that locks its rows until the transaction ends, and reads the newest version of each:
   * `exclusive` before changing them, `shared` to rely on others not changing them, `held` where they are locked already. Empty if a
   * transaction is the only writer anyway, and for `held` where each select reads the newest versions.
   */
  readonly rowLock: Readonly<Record<RowLock, string>>
  /** Present where this does not lock the rows of a select in `from`, which has to end so itself. */
  readonly locksWithinFrom?: true
  /** How an insert returns the keys of its rows: by `returning`, or the last generated number, by a query. */
  readonly insertedKeys: { readonly by: 'returning' } | { readonly by: 'lastNumber'; readonly query: string }
  /**
   * A statement that makes the rest of a transaction check at once what would be checked at its commit; undefined where
   * nothing is, or where the gateway checks references itself.
   */
  readonly checkAtOnce?: string
  /** Present where a row that refers to itself cannot be deleted as long as it does. */
  readonly ownReferencesKeepRows?: true
  /** A comment for a select of what a caller may read of a table where related rows decide about it, by which the driver knows it. */
  readonly relatedRightsComment?: string
  /** What follows `insert` and `update` so that a conflict refuses the statement, in a table that would resolve it otherwise. */
  readonly refusesConflicts?: string
  /** The text after the table in an insert of a row without values. */
  readonly emptyRow: string
  /** Whether a row comparison such as `(a, b) > (?, ?)` uses an index. */
  readonly comparesRowsByIndex: boolean
  /**
   * Reads a column in the form that rows of every product have: 64-bit integers and decimals as text without loss,
   * dates as `YYYY-MM-DD hh:mm:ss[.ffffff]`, unknown types as text.
   */
  readColumn(column: Column, expression: SqlFragment<never>): SqlFragment<never>
  /** The form in which a statement writes a value, or finds the row that it changes, if the product has columns where it is another one than in rows. */
  readonly writtenForm?: (column: Column, value: SqlValue) => SqlValue
  /**
   * A condition that is always true and lets a running statement notice its cancellation, for the table with the alias
   * `alias`; undefined if statements can be cancelled from outside.
   */
  cancellationCheck(table: Table, alias: string): SqlFragment<never> | undefined
  /**
   * What rows are sorted by, and cursors compared with: the column itself, unchanged, unless it has to sort alike on
   * every product (`Column.portableOrder`) and does not by itself. Also takes a value as `storedForm` reads it.
   */
  sortKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value>
  /** What `<`, `<=`, `>` and `>=` of a filter compare: a column, or a value of a request. */
  comparedKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value>
  /** One term of `order by` for a sort key. Nulls are sorted as `nullsLowest` says. */
  orderTerm(sortKey: SqlFragment<never>, direction: 'asc' | 'desc', column: Column): SqlFragment<never>
  /**
   * The text after `from` if the product would sort all rows for an order with mixed directions: only the first rows
   * by an index on the first term, and all rows with the same value as the last of these.
   */
  readonly fromLeading?: <Value>(leading: LeadingRows<Value>) => SqlFragment<Value>
  /** Whether nulls sort lower than any value of the column; otherwise higher. */
  nullsLowest(column: Column): boolean
  /** Whether an index on the column sorts nulls as `nullsLowest` says. */
  sortsNullsByIndex(column: Column): boolean
  /**
   * Reads the stored values of a column (`Column.storedApart`): a text with the prefix `t`, an integer as text with
   * the prefix `i`, any other number as a number, bytes as bytes.
   */
  storedForm(column: Column, expression: SqlFragment<never>): SqlFragment<never>
  /** Whether `expression` is exactly `value`: texts that differ in case, accents or blanks at the end are not equal. */
  equals<Value>(column: Column, expression: SqlFragment<Value>, value: SqlFragment<Value>): SqlFragment<Value>
  /** Whether an index on the column can serve `equals`; present if it matters that a row is found by its key. */
  readonly equalsByIndex?: (column: Column) => boolean
  /**
   * Whether the column's own `=`, by which changes find rows, also matches values that `equals` tells apart. Present on products whose
   * drivers write at once (`Driver.transactAtOnce`): elsewhere a row is read before it is changed.
   */
  readonly matchesMore?: (column: Column) => boolean
  /** Whether a condition is false, or neither true nor false. */
  isNotTrue<Value>(condition: SqlFragment<Value>): SqlFragment<Value>
  /** Whether the column is shown as null; `negated`, whether it is not. */
  isNull(column: Column, expression: SqlFragment<never>, negated: boolean): SqlFragment<never>
  /**
   * Whether `expression` equals one of the values of `list`, which is bound as `listParameter` makes it; `odd` ones
   * may not be of the column's type.
   */
  inList<Value>(
    column: Column,
    expression: SqlFragment<Value>,
    list: SqlFragment<Value>,
    odd?: true,
  ): SqlFragment<Value>
  /** Whether a short list is compared faster by one `equals` for each of its values than by `inList`. */
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
  /**
   * The same, and equality, with upper and lower case letters alike: of both texts each character is replaced by the one
   * that Unicode gives as its lower case (Simple_Lowercase_Mapping, https://www.unicode.org/reports/tr44/).
   */
  caseless<Value>(
    test: CaselessTest,
    column: Column,
    expression: SqlFragment<Value>,
    text: SqlFragment<Value>,
  ): SqlFragment<Value>
  /**
   * The values at a path inside JSON, for the column `expression`: null where its text is no JSON. Keys find members of
   * objects only, and numbers items of arrays only.
   */
  jsonPart(part: JsonPart, expression: SqlFragment<never>): SqlFragment<never>
  /** A list of values as one bound value. */
  listParameter(values: readonly SqlValue[]): SqlValue
  /** A list of keys, one at least (each a list of as many values as the key has columns), as one bound value. */
  keyListParameter(keys: readonly (readonly SqlValue[])[]): SqlValue
  /** The rows of a table for many keys at once, in one statement. */
  selectByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value>
  /**
   * The same for a single key, if that is faster. The fragment is put after `select` and the key's position. `parts` are the values of the
   * key. Undefined where there is no such select: for keys of some types, or with some conditions.
   */
  readonly selectByKey?: <Value>(
    select: Omit<KeyedSelect<Value>, 'keys'>,
    parts: readonly SqlFragment<Value>[],
  ) => SqlFragment<Value> | undefined
  /** Whether such selects with a limit, one for each of a few keys and joined by `union all`, are faster than one for all of them. */
  readonly joinsSelectsByKey?: boolean
  /** How many rows of a table belong to each of a list of keys: the key's position and the number, if it is not 0. */
  countByKeys<Value>(
    select: Pick<KeyedSelect<Value>, 'table' | 'alias' | 'keyColumns' | 'keys' | 'where'>,
  ): SqlFragment<Value>
  /**
   * The same rows as `selectByKeys`, all of them and in any order. `k` is a number of the key that grows with its position:
   * `keyPosition` makes the position of it, once for many rows.
   */
  rowsByKeys<Value>(select: UnsortedKeyedSelect<Value>): SqlFragment<Value>
  keyPosition(number: SqlFragment<never>): SqlFragment<never>
  readonly aggregates: AggregateSyntax
}

/** A test of texts without regard to case. */
export type CaselessTest = 'iequals' | 'istarts' | 'iends' | 'icontains'

/** The first rows of a table by one column. */
interface LeadingRows<Value> {
  /** The table, quoted, or a select in parentheses that stands for it. */
  readonly table: SqlFragment<Value>
  readonly alias: string
  /** The column, with the alias. */
  readonly column: SqlFragment<never>
  /** `column`, with its direction. */
  readonly order: SqlFragment<never>
  readonly where: SqlFragment<Value> | undefined
  readonly limit: SqlFragment<Value>
}

/**
 * Selects the rows that belong to each of a list of keys. The first column of the result, named `k`, is the position
 * of the key in the list, counted from 0; rows are sorted by it and then by `orderBy`.
 */
export interface KeyedSelect<Value> {
  /** The table, quoted, or a select in parentheses that stands for it. */
  readonly table: SqlFragment<Value>
  /** The alias of the table in `columns`, `where` and `orderBy`. */
  readonly alias: string
  /** The columns that are compared with the key. */
  readonly keyColumns: readonly Column[]
  /** Columns that identify rows (a key of the table); empty if the table has none. */
  readonly rowKey: readonly Column[]
  /** The list of keys, bound as `keyListParameter` makes it. */
  readonly keys: SqlFragment<Value>
  readonly columns: readonly SqlFragment<Value>[]
  readonly where: SqlFragment<Value> | undefined
  readonly orderBy: readonly SqlFragment<Value>[]
  /** Limit and offset apply to each key, not to all rows. */
  readonly limit: SqlFragment<Value> | undefined
  readonly offset: SqlFragment<Value> | undefined
}

/** A select for many keys whose rows come in any order. */
export type UnsortedKeyedSelect<Value> = Pick<
  KeyedSelect<Value>,
  'table' | 'alias' | 'keyColumns' | 'keys' | 'columns' | 'where'
>
