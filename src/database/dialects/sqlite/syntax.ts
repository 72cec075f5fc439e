import type { Column } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { KeyedSelect, Syntax } from '../../syntax.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { decimalKeyFunction } from './decimal-key.ts'
import { exactDecimal } from './types.ts'

const readAsText: ReadonlySet<Column['type']> = new Set(['bigint', 'decimal', 'other'])

export const sqliteSyntax: Syntax = {
  ...standardSyntax,

  placeholder: (position) => `?${position}`,

  // SQLite has no `offset` without `limit`; -1 is its own word for no limit.
  limitOffset: (limit, offset) =>
    standardSyntax.limitOffset(limit ?? (offset === undefined ? undefined : raw('-1')), offset),

  readColumn: (column, expression) =>
    readAsText.has(column.type) ? sql`cast(${expression} as text)` : expression,

  sortKey: (column, expression) =>
    column.nativeType === exactDecimal ? sql`${raw(decimalKeyFunction)}(${expression})` : expression,

  // SQLite counts nulls as the lowest by itself.
  orderTerm: (sortKey, direction) => (direction === 'desc' ? sql`${sortKey} desc` : sortKey),

  inList: (_column, expression, list) => sql`${expression} in (select value from json_each(${list}))`,

  endsWith: (_column, expression, text) =>
    sql`(length(${expression}) >= length(${text}) and substr(${expression}, length(${expression}) - length(${text}) + 1) = ${text})`,

  contains: (_column, expression, text) => sql`instr(${expression}, ${text}) > 0`,

  listParameter: (values) => listText(values),

  keyListParameter: (keys) =>
    keys[0]?.length === 1 ? listText(keys.map((key) => key[0] ?? null)) : `[${keys.map(listText).join(',')}]`,

  countByKeys: (select) =>
    sql`select k.key as k, count(*) from ${keyTable(select.keys)} cross join ${raw(`${select.table} ${select.alias}`)} on ${keyCondition(select)}${andWhere(select.where)} group by k.key`,

  selectByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
    if (select.limit === undefined && select.offset === undefined) return allByKeys(select)
    return select.rowKey.length > 0 ? limitedByRowKey(select) : limitedByRowNumber(select)
  },
}

/** JSON text of a list. 64-bit integers are written as digits, which SQLite reads without loss. */
function listText(values: readonly unknown[]): string {
  const items = values.map((value) => (typeof value === 'bigint' ? value.toString() : JSON.stringify(value)))
  return `[${items.join(',')}]`
}

/** `k`: the list of keys as a table; `key` is the position, `value` the key or the list of its parts. */
const keyTable = <Value>(keys: SqlFragment<Value>) => sql`json_each(${keys}) k`

function keyCondition(select: {
  readonly alias: string
  readonly keyColumns: readonly Column[]
}): SqlFragment<never> {
  const conditions = select.keyColumns.map((column, index) => {
    const value = select.keyColumns.length === 1 ? 'k.value' : `json_extract(k.value, '$[${index}]')`
    return raw(`${select.alias}.${sqliteSyntax.quoteIdentifier(column.name)} = ${value}`)
  })
  return join(conditions, ' and ')
}

const andWhere = <Value>(where: SqlFragment<Value> | undefined): SqlFragment<Value> =>
  where === undefined ? raw('') : sql<Value>` and ${where}`

function orderByKeyThen<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  return sql`order by ${join<Value>([raw('k.key'), ...select.orderBy], ', ')}`
}

function allByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  return sql`select ${join<Value>([raw('k.key as k'), ...select.columns], ', ')} from ${keyTable(select.keys)} cross join ${raw(`${select.table} ${select.alias}`)} on ${keyCondition(select)}${andWhere(select.where)} ${orderByKeyThen(select)}`
}

/**
 * The limited rows of each key are found by a correlated subquery that reads only as many index
 * entries as the limit asks for; numbering all rows of every key is several times slower.
 */
function limitedByRowKey<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const names = select.rowKey.map((column) => `${select.alias}.${sqliteSyntax.quoteIdentifier(column.name)}`)
  const rowKey = raw(names.join(', '))
  const table = raw(`${select.table} ${select.alias}`)
  const chosen = sql<Value>`select ${rowKey} from ${table} where ${keyCondition(select)}${andWhere(select.where)} order by ${join(select.orderBy, ', ')}${sqliteSyntax.limitOffset(select.limit, select.offset)}`
  return sql`select ${join<Value>([raw('k.key as k'), ...select.columns], ', ')} from ${keyTable(select.keys)} cross join ${table} on (${rowKey}) in (${chosen}) ${orderByKeyThen(select)}`
}

function limitedByRowNumber<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const named = select.columns.map((column, index) => sql<Value>`${column} as ${raw(`c${index}`)}`)
  const rowNumber = sql<Value>`row_number() over (partition by k.key order by ${join(select.orderBy, ', ')}) as n`
  const numbered = sql<Value>`select ${join<Value>([raw('k.key as k'), ...named, rowNumber], ', ')} from ${keyTable(select.keys)} cross join ${raw(`${select.table} ${select.alias}`)} on ${keyCondition(select)}${andWhere(select.where)}`
  const skipped = select.offset ?? raw('0')
  const upTo = select.limit === undefined ? raw('') : sql<Value>` and n <= ${skipped} + ${select.limit}`
  const outer = raw(['k', ...named.map((_, index) => `c${index}`)].join(', '))
  return sql`select ${outer} from (${numbered}) where n > ${skipped}${upTo} order by k, n`
}
