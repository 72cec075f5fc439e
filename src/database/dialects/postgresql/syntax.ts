import type { Column } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { KeyedSelect, Syntax, UnsortedKeyedSelect } from '../../syntax.ts'
import { standardSyntax, testOfParts } from '../standard-syntax.ts'
import { postgresqlAggregates } from './aggregates.ts'
import { comparable, exactForm, postgresqlColumnCodec } from './column-codec.ts'
import { jsonPart } from './json-part.ts'
import { arrayTextOf } from './key-list.ts'
import { isPlainText, listItemType, typeName } from './types.ts'

export const postgresqlSyntax: Syntax = {
  ...standardSyntax,

  // Rows that reference it may be written meanwhile: the lock blocks only changes of its key and its deletion.
  rowLock: { shared: ' for share', exclusive: ' for no key update', held: '' },

  checkAtOnce: 'set constraints all immediate',

  placeholder: (position) => `$${position}`,

  ...postgresqlColumnCodec,

  writtenForm: ({ items }, value) =>
    items !== undefined && typeof value === 'string' ? arrayTextOf(JSON.parse(value), items) : value,

  sortKey,

  comparedKey: sortKey,

  // Nulls are the highest by default.
  orderTerm(key, direction, { nullable, portableOrder }) {
    const placesNulls = nullable && portableOrder
    return direction === 'desc'
      ? sql`${key} desc${raw(placesNulls ? ' nulls last' : '')}`
      : sql`${key}${raw(placesNulls ? ' nulls first' : '')}`
  },

  nullsLowest: ({ portableOrder }) => portableOrder === true,

  sortsNullsByIndex: ({ portableOrder }) => portableOrder !== true,

  spellsOutLists: false,

  startsWith: (column, expression, lower, upper) =>
    standardSyntax.startsWith(column, exactForm(column, expression), lower, upper),

  // With explicit types and schema, because a database may have functions and types with the same names.
  endsWith: (column, expression, text) =>
    sql`pg_catalog.right(${exactForm(column, expression)}, pg_catalog.length(${text}::text)) = ${text}`,

  contains: (column, expression, text) =>
    sql`pg_catalog.strpos(${exactForm(column, expression)}, ${text}::text) > 0`,

  caseless: (test, column, expression, text) =>
    testOfParts(test, lowerCase(exactForm(column, expression)), lowerCase(sql`${text}::text`), {
      length: (part) => sql`pg_catalog.length(${part})`,
      left: (whole, length) => sql`pg_catalog.left(${whole}, ${length})`,
      right: (whole, length) => sql`pg_catalog.right(${whole}, ${length})`,
      position: (whole, part) => sql`pg_catalog.strpos(${whole}, ${part})`,
    }),

  jsonPart,

  countByKeys: (select) => sql`select ${position} as k, count(*) from ${matches(select)} group by k.p`,

  rowsByKeys: (select) => columnsByKeys(raw('k.p'), select),

  keyPosition,

  aggregates: postgresqlAggregates,

  selectByKey,

  selectByKeys: (select) =>
    select.limit === undefined && select.offset === undefined ? allByKeys(select) : limitedByKeys(select),
}

/**
 * ICU's lower case depends on the neighbours of a sigma, and makes two characters of the capital I with a dot: these get
 * theirs first.
 */
function lowerCase<Value>(text: SqlFragment<Value>): SqlFragment<Value> {
  return sql`(pg_catalog.lower(pg_catalog.translate(${text}, 'Σİ', 'σi') collate "und-x-icu") collate "C")`
}

function sortKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  const isValue = expression.pieces.some((piece) => typeof piece !== 'string')
  if (isValue) return comparable(column, expression)
  return column.portableOrder || !sortsByItself(column) ? exactForm(column, expression) : expression
}

/** Text types that compare by their own collation or rule. */
function sortsByItself(column: Column): boolean {
  const name = typeName(column)
  return column.type === 'string' && (isPlainText(column) || ['character', 'name'].includes(name))
}

/** The position counted from 0, in 32 bits: read as a number, while 64-bit integers are read as texts. */
function keyPosition(number: SqlFragment<never>): SqlFragment<never> {
  return sql`(${number} - 1)::integer`
}

const position = keyPosition(raw('k.p'))

type Match<Value> = Pick<KeyedSelect<Value>, 'table' | 'alias' | 'keyColumns' | 'keys' | 'where'>

/** The list of keys as the table `k`: `p` is the position, counted from 1, and `v0`, `v1`, … the values. */
function keyTable<Value>(keyColumns: readonly Column[], keys: SqlFragment<Value>): SqlFragment<Value> {
  const names = keyColumns.map((_, index) => `v${index}`)
  const [first, ...others] = keyColumns.map((column) => (isListedAsText(column) ? 'text' : keyTypeOf(column)))
  if (others.length === 0)
    return sql`pg_catalog.unnest(${keys}::${raw(`${first}[]`)}) with ordinality as k(v0, p)`
  const parts = [first, ...others].map((type, index) => `v${index} ${type}`)
  return sql`rows from (pg_catalog.json_to_recordset(${keys}::json) as (${raw(parts.join(', '))})) with ordinality as k(${raw([...names, 'p'].join(', '))})`
}

/** The type of keys that are compared with a column. */
function keyTypeOf(column: Column): string {
  return listItemType(column.keysOf ?? column)
}

/** Whether keys with fractions are compared with whole numbers. */
function isOfWhole({ type, keysOf }: Column): boolean {
  const isWhole = type === 'integer' || type === 'bigint'
  return isWhole && (keysOf?.type === 'decimal' || keysOf?.type === 'float')
}

/** A key as a whole number, or null if it is none of 64 bits: otherwise the server would convert the column, and use no index. */
function wholeOf(key: string): string {
  return `case when ${key} = pg_catalog.trunc(${key}) and ${key} >= -9223372036854775808 and ${key} < 9223372036854775808 then ${key}::bigint end`
}

/** A list of rows of a composite type would be a table of its columns. */
function isListedAsText({ type }: Column): boolean {
  return type === 'other'
}

function listedPart(column: Column, index: number): SqlFragment<never> {
  if (isOfWhole(column)) return raw(wholeOf(`k.v${index}`))
  return raw(isListedAsText(column) ? `k.v${index}::${listItemType(column)}` : `k.v${index}`)
}

/** Uses the comparison of the database's foreign keys, so that an index can be used. */
function keyCondition<Value>(
  alias: string,
  keyColumns: readonly Column[],
  partOf: (column: Column, index: number) => SqlFragment<Value> = listedPart,
): SqlFragment<Value> {
  const conditions = keyColumns.map((column, index) => {
    const name = raw(`${alias}.${standardSyntax.quoteIdentifier(column.name)}`)
    const own = column.type === 'other' || column.type === 'string' ? name : exactForm(column, name)
    return sql<Value>`${own} = ${partOf(column, index)}`
  })
  return join(conditions, ' and ')
}

function matches<Value>({ table, alias, keyColumns, keys, where }: Match<Value>): SqlFragment<Value> {
  const condition = where === undefined ? raw('') : sql<Value>` where ${where}`
  return sql`${keyTable(keyColumns, keys)} join ${table} ${raw(alias)} on ${keyCondition(alias, keyColumns)}${condition}`
}

function columnsByKeys<Value>(
  key: SqlFragment<never>,
  select: UnsortedKeyedSelect<Value>,
): SqlFragment<Value> {
  const columns = join<Value>([sql`${key} as k`, ...select.columns], ', ')
  return sql`select ${columns} from ${matches(select)}`
}

function allByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  return sql`${columnsByKeys(position, select)} order by ${join<Value>([raw('k.p'), ...select.orderBy], ', ')}`
}

/** Finds the rows of each key separately, and only as many as the limit allows; they keep their order. */
function limitedByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const { table, alias, keyColumns, keys, where } = select
  const condition = where === undefined ? raw('') : sql<Value>` and ${where}`
  const orderBy = select.orderBy.length === 0 ? raw('') : sql<Value>` order by ${join(select.orderBy, ', ')}`
  const chosen = sql<Value>`select ${join(select.columns, ', ')} from ${table} ${raw(alias)} where ${keyCondition(alias, keyColumns)}${condition}${orderBy}${standardSyntax.limitOffset(select.limit, select.offset)}`
  return sql`select ${position} as k, x.* from ${keyTable(keyColumns, keys)} cross join lateral (${chosen}) x`
}

/**
 * The server plans a select for a list of keys anew each time, because its cost depends on their number; the plan of this one it may keep.
 * There is none with values in the conditions: for some of them, a plan that knows them is worth more than the planning.
 */
function selectByKey<Value>(
  { table, alias, keyColumns, columns, where, orderBy, limit, offset }: Omit<KeyedSelect<Value>, 'keys'>,
  parts: readonly SqlFragment<Value>[],
): SqlFragment<Value> | undefined {
  if (keyColumns.some(isOfWhole) || where?.pieces.some((piece) => typeof piece !== 'string')) return undefined
  const isKey = keyCondition<Value>(
    alias,
    keyColumns,
    (column, index) => sql`${parts[index] ?? raw('null')}::${raw(keyTypeOf(column))}`,
  )
  const condition = where === undefined ? isKey : sql<Value>`${isKey} and ${where}`
  const sorted = orderBy.length === 0 ? raw('') : sql<Value>` order by ${join(orderBy, ', ')}`
  return sql<Value>`${join([raw(''), ...columns], ', ')} from ${table} ${raw(alias)} where ${condition}${sorted}${standardSyntax.limitOffset(limit, offset)}`
}
