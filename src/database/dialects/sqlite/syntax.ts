import type { Column } from '../../database-schema.ts'
import type { SqlValue } from '../../driver.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { KeyedSelect, Syntax } from '../../syntax.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { decimalKeyFunction } from './decimal-key.ts'
import { momentFunction } from './moment.ts'
import { exactDecimal, exactMoment, isCollated } from './types.ts'
import { goOnFunction } from './worker-protocol.ts'

const readAsText: ReadonlySet<Column['type']> = new Set(['bigint', 'decimal', 'other'])

export const sqliteSyntax: Syntax = {
  ...standardSyntax,

  rowLock: { shared: '', exclusive: '' },

  // For most rows the number alone decides, which costs next to nothing; otherwise the function is asked.
  goOn: ({ rowNumbered }, alias) =>
    raw(rowNumbered ? `(${alias}.rowid & 1023 or ${goOnFunction}())` : `${goOnFunction}()`),

  placeholder: (position) => `?${position}`,

  // SQLite has no `offset` without `limit`; -1 is its own word for no limit.
  limitOffset: (limit, offset) =>
    standardSyntax.limitOffset(
      limit === undefined ? offset && raw('-1') : unseenByPlanner(limit),
      offset && unseenByPlanner(offset),
    ),

  readColumn: (column, expression) =>
    readAsText.has(column.type)
      ? sql`cast(${expression} as text)`
      : isLooseMoment(column)
        ? comparedForm(column, expression)
        : expression,

  sortKey(column, expression) {
    if (column.nativeType === exactDecimal) return sql`${raw(decimalKeyFunction)}(${expression})`
    return column.type === 'other' ? looseKey(expression) : comparedForm(column, expression)
  },

  // SQLite counts nulls as the lowest by itself.
  orderTerm: (sortKey, direction) => (direction === 'desc' ? sql`${sortKey} desc` : sortKey),

  equals: (column, expression, value) =>
    standardSyntax.equals(column, comparedForm(column, expression), value),

  // The index has the column, and no expression around it.
  equalsByIndex(column) {
    const own = raw(column.name)
    return comparedForm(column, own) === own
  },

  inList: (column, expression, list) =>
    sql`${comparedForm(column, expression)} in (select ${listItem(column, 'value')} from temp.json_each(${list}))`,

  spellsOutLists: true,

  startsWith: (column, expression, lower, upper) =>
    standardSyntax.startsWith(column, comparedForm(column, expression), lower, upper),

  endsWith(column, expression, text) {
    const whole = comparedForm(column, expression)
    return sql`(length(${whole}) >= length(${text}) and substr(${whole}, length(${whole}) - length(${text}) + 1) = ${text})`
  },

  contains: (column, expression, text) => sql`instr(${comparedForm(column, expression)}, ${text}) > 0`,

  listParameter: listText,

  keyListParameter: (keys) =>
    keys[0]?.length === 1 ? listText(keys.map((key) => key[0] ?? null)) : `[${keys.map(listText).join(',')}]`,

  countByKeys: (select) =>
    sql`select k.key as k, count(*) from ${keyTable(select.keys)} cross join ${raw(`${select.table} ${select.alias}`)} on ${keyCondition(select)}${andWhere(select.where)} group by k.key`,

  selectByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
    if (select.limit === undefined && select.offset === undefined) return allByKeys(select)
    return select.rowKey.length > 0 ? limitedByRowKey(select) : limitedByRowNumber(select)
  },
}

/** Values that may be stored in several forms are compared as they are shown. */
function comparedForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (isLooseMoment(column)) return sql`${raw(momentFunction)}(${expression})`
  if (column.type === 'other') return sql`cast(${expression} as text)`
  return column.type === 'string' && isCollated(column) ? sql`${expression} collate binary` : expression
}

function isLooseMoment({ type, nativeType }: Column): boolean {
  return type === 'dateTime' && nativeType !== exactMoment
}

/** Whatever reads as a number sorts as one, below all other texts; the same for a value and for what is shown of it. */
function looseKey<Value>(expression: SqlFragment<Value>): SqlFragment<Value> {
  const text = sql<Value>`cast(${expression} as text)`
  return sql`iif(json_valid(${text}) and json_type(${text}) in ('integer', 'real'), ${text} ->> '$', ${text})`
}

/**
 * JSON text of a list. 64-bit integers are written as digits, which SQLite reads without loss; numbers beyond those that a
 * double counts with an exponent, since their digits are those of another number; bytes in hexadecimal.
 */
function listText(values: readonly SqlValue[]): string {
  return `[${values.map(itemText).join(',')}]`
}

function itemText(value: SqlValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return Number(value).toExponential()
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
}

/** An item of a list as the column holds it. */
function listItem(column: Column, item: string): SqlFragment<never> {
  return raw(column.type === 'binary' ? `unhex(${item})` : item)
}

/** `k`: the list of keys as a table; `key` is the position, `value` the key or the list of its parts. */
const keyTable = <Value>(keys: SqlFragment<Value>) => sql`temp.json_each(${keys}) k`

function keyCondition(select: {
  readonly alias: string
  readonly keyColumns: readonly Column[]
}): SqlFragment<never> {
  const conditions = select.keyColumns.map((column, index) => {
    const value = select.keyColumns.length === 1 ? 'k.value' : `json_extract(k.value, '$[${index}]')`
    const own = raw(`${select.alias}.${sqliteSyntax.quoteIdentifier(column.name)}`)
    // References go by what the database takes for equal.
    return sql`${isCollated(column) ? own : comparedForm(column, own)} = ${listItem(column, value)}`
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

/**
 * SQLite looks at the value of a placeholder in `limit` when it plans, and so plans anew whenever one is bound; the value
 * of an expression it does not look at: `sqlite3ExprIsInteger` in https://www.sqlite.org/src/file/src/expr.c
 */
function unseenByPlanner<Value>(count: SqlFragment<Value>): SqlFragment<Value> {
  return count.pieces.every((piece) => typeof piece === 'string') ? count : sql`${count} + 0`
}
