import type { Column } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { KeyedSelect, Syntax, UnsortedKeyedSelect } from '../../syntax.ts'
import { standardSyntax, testOfParts } from '../standard-syntax.ts'
import { sqliteAggregates } from './aggregates.ts'
import { comparedForm, listItem, sqliteColumnCodec, textForm, truthForm } from './column-codec.ts'
import { cancellationCheckFunction } from './connection-calls.ts'
import { decimalKeyFunction } from './decimal-key.ts'
import { jsonPart } from './json-part.ts'
import { lowerCaseFunction } from './lower-case.ts'
import { hasRenamedColumns, renamedColumn, tableWithRenamed } from './renamed-columns.ts'
import { exactDecimal } from './types.ts'

export const sqliteSyntax: Syntax = {
  ...standardSyntax,

  renamed: { table: tableWithRenamed, column: renamedColumn },

  rowLock: { shared: '', exclusive: '', held: '' },

  refusesConflicts: ' or abort',

  // For most rows the rowid alone decides, which costs almost nothing; otherwise the function is called. The divisor is
  // a prime: rowids at any regular distance, such as odd ones alone, reach a multiple of it.
  cancellationCheck: (table, alias) =>
    raw(
      table.rowNumbered && !hasRenamedColumns(table)
        ? `(${alias}.rowid % 1021 or ${cancellationCheckFunction}())`
        : `${cancellationCheckFunction}()`,
    ),

  placeholder: (position) => `?${position}`,

  // SQLite has no `offset` without `limit`; -1 means no limit.
  limitOffset: (limit, offset) =>
    standardSyntax.limitOffset(
      limit === undefined ? offset && raw('-1') : unseenByPlanner(limit),
      offset && unseenByPlanner(offset),
    ),

  ...sqliteColumnCodec,

  // In SQLite `true` is a column of that name, if there is one.
  isNotTrue: (condition) => sql`(${condition}) is not 1`,

  sortKey(column, expression) {
    if (column.portableOrder) return portableKey(column, expression)
    return column.nativeType === exactDecimal ? decimalKeyOf(expression) : expression
  },

  comparedKey: (column, expression) =>
    column.type === 'string' && !column.portableOrder ? expression : portableKey(column, expression),

  storedForm: (column, expression) =>
    column.type === 'string'
      ? sql`iif(typeof(${expression}) = 'text', 't' || ${expression}, ${expression})`
      : sql`case typeof(${expression}) when 'integer' then 'i' || ${expression} when 'text' then 't' || ${expression} else ${expression} end`,

  // The index is on the column itself, without an expression around it.
  equalsByIndex(column) {
    const own = raw(column.name)
    return comparedForm(column, own) === own
  },

  spellsOutLists: true,

  startsWith: (column, expression, lower, upper) =>
    standardSyntax.startsWith(column, textForm(column, expression), lower, upper),

  endsWith(column, expression, text) {
    const whole = textForm(column, expression)
    return sql`(length(${whole}) >= length(${text}) and substr(${whole}, length(${whole}) - length(${text}) + 1) = ${text})`
  },

  contains: (column, expression, text) => sql`instr(${textForm(column, expression)}, ${text}) > 0`,

  caseless: (test, column, expression, text) =>
    testOfParts(test, lowerCase(textForm(column, expression)), lowerCase(text), {
      length: (part) => sql`length(${part})`,
      left: (whole, length) => sql`substr(${whole}, 1, ${length})`,
      right: (whole, length) => sql`substr(${whole}, length(${whole}) - ${length} + 1)`,
      position: (whole, part) => sql`instr(${whole}, ${part})`,
    }),

  jsonPart,

  countByKeys: (select) =>
    sql`select k.key as k, count(*) from ${keyTable(select.keys)} cross join ${select.table} ${raw(select.alias)} on ${keyCondition(select)}${andWhere(select.where)} group by k.key`,

  rowsByKeys,

  keyPosition: (number) => number,

  aggregates: sqliteAggregates,

  selectByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
    if (select.limit === undefined && select.offset === undefined) return allByKeys(select)
    return select.rowKey.length > 0 ? limitedByRowKey(select) : limitedByRowNumber(select)
  },
}

const lowerCase = <Value>(text: SqlFragment<Value>) => sql<Value>`${raw(lowerCaseFunction)}(${text})`

const decimalKeyOf = <Value>(expression: SqlFragment<Value>) =>
  sql<Value>`${raw(decimalKeyFunction)}(${expression})`

function portableKey<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (column.nativeType === exactDecimal) return decimalKeyOf(expression)
  // A cursor contains the stored value.
  if (column.type === 'boolean' && column.loose !== undefined) return truthForm(expression)
  return column.type === 'other' ? looseKey(expression) : comparedForm(column, expression)
}

/**
 * Texts that can be read as numbers sort as numbers, below all other texts; the same for a value and for its shown
 * text.
 */
function looseKey<Value>(expression: SqlFragment<Value>): SqlFragment<Value> {
  const text = sql<Value>`cast(${expression} as text)`
  return sql`iif(json_valid(${text}) and json_type(${text}) in ('integer', 'real'), ${text} ->> '$', ${text})`
}

/** `k`: the list of keys as a table; `key` is the position, `value` the key or the list of its values. */
const keyTable = <Value>(keys: SqlFragment<Value>) => sql`temp.json_each(${keys}) k`

function keyCondition(select: {
  readonly alias: string
  readonly keyColumns: readonly Column[]
}): SqlFragment<never> {
  const conditions = select.keyColumns.map((column, index) => {
    const own = raw(`${select.alias}.${renamedColumn(column.name)}`)
    // Foreign keys use the equality of the database.
    const part = keyPart(column, index, select.keyColumns.length)
    return column.loose === 'none' && column.type === 'other'
      ? sql`${digitsAsText(own)} = ${digitsAsText(part)}`
      : sql`${own} = ${part}`
  })
  return join(conditions, ' and ')
}

/** A column without a type may reference a number by the text of its digits. */
function digitsAsText(expression: SqlFragment<never>): SqlFragment<never> {
  return sql`iif(typeof(${expression}) = 'blob', ${expression}, cast(${expression} as text))`
}

function keyPart(column: Column, index: number, count: number): SqlFragment<never> {
  if (count === 1) return listItem(column, 'k.value', 'k.type')
  return listItem(column, `json_extract(k.value, '$[${index}]')`, `json_type(k.value, '$[${index}]')`)
}

const andWhere = <Value>(where: SqlFragment<Value> | undefined): SqlFragment<Value> =>
  where === undefined ? raw('') : sql<Value>` and ${where}`

function orderByKeyThen<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  return sql`order by ${join<Value>([raw('k.key'), ...select.orderBy], ', ')}`
}

function rowsByKeys<Value>(select: UnsortedKeyedSelect<Value>): SqlFragment<Value> {
  return sql`select ${join<Value>([raw('k.key as k'), ...select.columns], ', ')} from ${keyTable(select.keys)} cross join ${select.table} ${raw(select.alias)} on ${keyCondition(select)}${andWhere(select.where)}`
}

function allByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  return sql`${rowsByKeys(select)} ${orderByKeyThen(select)}`
}

/**
 * The limited rows of each key are found by a correlated subquery that reads only as many index entries as the limit
 * allows; numbering all rows of every key is several times slower.
 */
function limitedByRowKey<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const names = select.rowKey.map((column) => `${select.alias}.${renamedColumn(column.name)}`)
  const rowKey = raw(names.join(', '))
  const table = sql<Value>`${select.table} ${raw(select.alias)}`
  const chosen = sql<Value>`select ${rowKey} from ${table} where ${keyCondition(select)}${andWhere(select.where)} order by ${join(select.orderBy, ', ')}${sqliteSyntax.limitOffset(select.limit, select.offset)}`
  return sql`select ${join<Value>([raw('k.key as k'), ...select.columns], ', ')} from ${keyTable(select.keys)} cross join ${table} on (${rowKey}) in (${chosen}) ${orderByKeyThen(select)}`
}

function limitedByRowNumber<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const named = select.columns.map((column, index) => sql<Value>`${column} as ${raw(`c${index}`)}`)
  const rowNumber = sql<Value>`row_number() over (partition by k.key order by ${join(select.orderBy, ', ')}) as n`
  const numbered = sql<Value>`select ${join<Value>([raw('k.key as k'), ...named, rowNumber], ', ')} from ${keyTable(select.keys)} cross join ${select.table} ${raw(select.alias)} on ${keyCondition(select)}${andWhere(select.where)}`
  const skipped = select.offset ?? raw('0')
  const upTo = select.limit === undefined ? raw('') : sql<Value>` and n <= ${skipped} + ${select.limit}`
  const outer = raw(['k', ...named.map((_, index) => `c${index}`)].join(', '))
  return sql`select ${outer} from (${numbered}) where n > ${skipped}${upTo} order by k, n`
}

/**
 * SQLite looks at the value of a placeholder in `limit` when it plans, and so plans again whenever one is bound; it
 * does not look at the value of an expression: `sqlite3ExprIsInteger` in https://www.sqlite.org/src/file/src/expr.c
 */
function unseenByPlanner<Value>(count: SqlFragment<Value>): SqlFragment<Value> {
  return count.pieces.every((piece) => typeof piece === 'string') ? count : sql`${count} + 0`
}
