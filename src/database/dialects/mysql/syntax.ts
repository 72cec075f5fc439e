import type { Column } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { KeyedSelect, Syntax, UnsortedKeyedSelect } from '../../syntax.ts'
import { standardSyntax, testOfParts } from '../standard-syntax.ts'
import { mysqlAggregates } from './aggregates.ts'
import { comparesAsText, mysqlColumnCodec, withoutLastZeros } from './column-codec.ts'
import { jsonPart } from './json-part.ts'
import { keyCondition, keyTable } from './key-list.ts'
import { preparedAnew } from './prepared-anew.ts'
import { quoteIdentifier } from './quote.ts'
import type { MysqlServer } from './server.ts'
import { exactText, inOwnCollation, isValue, sortsByCollation } from './text-comparison.ts'
import { dataTypeOf, scaleOf } from './types.ts'

/** `offset` requires a `limit`; this is the number that the manuals recommend for no limit. */
const noLimit = raw('18446744073709551615')

/** The syntax of MySQL 8 and MariaDB, with the exact collation of one server. */
export function mysqlSyntax(server: MysqlServer): Syntax {
  const exact = <Value>(column: Column, expression: SqlFragment<Value>) =>
    exactText(column, expression, server)
  const sortKey = <Value>(column: Column, expression: SqlFragment<Value>) => {
    if (column.type === 'uuid') return column.portableOrder ? exact(column, expression) : expression
    if (!comparesAsText(column)) return expression
    if (column.portableOrder || !sortsByCollation(column)) return exact(column, expression)
    return isValue(expression) ? inOwnCollation(column, expression) : expression
  }
  // Lower case depends on a collation: the newest one that both MySQL and MariaDB have.
  const lowerCase = <Value>(text: SqlFragment<Value>) =>
    sql<Value>`(lower(convert(${text} using utf8mb4) collate utf8mb4_unicode_520_ci) collate ${raw(server.exactCollation)})`

  return {
    quoteIdentifier,

    quoteTable: ({ name }) => quoteIdentifier(name),

    placeholder: () => '?',

    limitOffset: (limit, offset) =>
      standardSyntax.limitOffset(limit ?? (offset === undefined ? undefined : noLimit), offset),

    // Without a lock, what another transaction has committed meanwhile is not read.
    rowLock: { shared: ' lock in share mode', exclusive: ' for update', held: ' lock in share mode' },

    // https://dev.mysql.com/doc/refman/8.4/en/innodb-locking-reads.html
    locksWithinFrom: true,

    // A text is bits there, not a number.
    writtenForm: (column, value) =>
      column.type === 'bigint' && typeof value === 'string' && dataTypeOf(column) === 'bit'
        ? BigInt(value)
        : value,

    insertedKeys: server.insertedKeys,

    ownReferencesKeepRows: true,

    relatedRightsComment: preparedAnew,

    emptyRow: '() values ()',

    comparesRowsByIndex: false,

    cancellationCheck: standardSyntax.cancellationCheck,

    isNotTrue: standardSyntax.isNotTrue,

    ...mysqlColumnCodec(server),

    sortKey,

    comparedKey: sortKey,

    // Nulls are the lowest by default.
    orderTerm: standardSyntax.orderTerm,

    // A term in the opposite direction makes the server sort the whole table, whatever indexes there are.
    fromLeading({ table, alias, column, order, where, limit }) {
      const rows = sql`${table} ${raw(alias)}`
      const condition = where === undefined ? raw('') : sql`where ${where}`
      return sql`(select distinct v from (select ${column} as v from ${rows} ${condition} order by ${order} limit ${limit}) x) g straight_join ${rows} on ${column} <=> g.v`
    },

    nullsLowest: standardSyntax.nullsLowest,

    sortsNullsByIndex: standardSyntax.sortsNullsByIndex,

    storedForm: (column, expression) =>
      column.type === 'float'
        ? sql`cast(${expression} as double)`
        : sql`concat('t', ${scaleOf(column) === 0 ? expression : withoutLastZeros(expression)})`,

    spellsOutLists: true,

    startsWith: (column, expression, lower, upper) =>
      standardSyntax.startsWith(column, exact(column, expression), lower, upper),

    endsWith(column, expression, text) {
      return sql`right(${exact(column, expression)}, char_length(${text})) = ${text}`
    },

    contains: (column, expression, text) => sql`locate(${text}, ${exact(column, expression)}) > 0`,

    caseless: (test, column, expression, text) =>
      testOfParts(test, lowerCase(exact(column, expression)), lowerCase(text), {
        length: (part) => sql`char_length(${part})`,
        left: (whole, length) => sql`left(${whole}, ${length})`,
        right: (whole, length) => sql`right(${whole}, ${length})`,
        position: (whole, part) => sql`locate(${part}, ${whole})`,
      }),

    jsonPart,

    countByKeys: (select) => sql`select ${position} as k, count(*) from ${matches(select)} group by k.p`,

    rowsByKeys: (select) => columnsByKeys(raw('k.p'), select),

    keyPosition,

    aggregates: mysqlAggregates(server),

    selectByKey,

    joinsSelectsByKey: true,

    selectByKeys: (select) =>
      select.limit === undefined && select.offset === undefined ? allByKeys(select) : limitedByKeys(select),
  }
}

/** The position counted from 0. As a double it is read as a number, while 64-bit integers are read as texts. */
function keyPosition(number: SqlFragment<never>): SqlFragment<never> {
  return sql`${number} - 1e0`
}

const position = keyPosition(raw('k.p'))

type Match<Value> = Pick<KeyedSelect<Value>, 'table' | 'alias' | 'keyColumns' | 'keys' | 'where'>

/** Joins the list of keys with their rows; the list comes first, so that the rows are found by an index. */
function matches<Value>({ table, alias, keyColumns, keys, where }: Match<Value>): SqlFragment<Value> {
  const condition = where === undefined ? raw('') : sql<Value>` where ${where}`
  return sql`${keyTable(keyColumns, keys)} straight_join ${table} ${raw(alias)} on ${keyCondition(alias, keyColumns)}${condition}`
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

/**
 * Numbers the rows of each key. The numbered rows have the table's own alias, so that the selected columns are read
 * from them; names with a blank are unlikely to be names of columns.
 */
function limitedByKeys<Value>(select: KeyedSelect<Value>): SqlFragment<Value> {
  const { alias } = select
  const [keyName, numberName] = ['`gatehouse key`', '`gatehouse number`']
  const number = sql<Value>`row_number() over (partition by k.p order by ${orderOf(select)})`
  const numbered = sql<Value>`select ${position} as ${raw(keyName)}, ${number} as ${raw(numberName)}, ${raw(alias)}.* from ${matches(select)}`
  const skipped = select.offset ?? raw('0')
  const upTo =
    select.limit === undefined
      ? raw('')
      : sql<Value>` and ${raw(`${alias}.${numberName}`)} <= ${skipped} + ${select.limit}`
  const columns = join<Value>([raw(`${alias}.${keyName} as k`), ...select.columns], ', ')
  return sql`select ${columns} from (${numbered}) ${raw(alias)} where ${raw(`${alias}.${numberName}`)} > ${skipped}${upTo} order by ${raw(`${alias}.${keyName}, ${alias}.${numberName}`)}`
}

/**
 * MariaDB has no lateral joins: a limited select for each key reads as many index entries as it returns rows. For a single key no table of
 * keys has to be made.
 */
function selectByKey<Value>(
  select: Omit<KeyedSelect<Value>, 'keys'>,
  parts: readonly SqlFragment<Value>[],
): SqlFragment<Value> | undefined {
  const { table, alias, keyColumns, where, limit, offset } = select
  const conditions: SqlFragment<Value>[] = []
  for (const [index, column] of keyColumns.entries()) {
    const value = keyValue(column, parts[index] ?? raw('null'))
    if (value === undefined) return undefined
    conditions.push(sql<Value>`${raw(`${alias}.${quoteIdentifier(column.name)}`)} = ${value}`)
  }
  if (where !== undefined) conditions.push(where)
  const columns = join([raw(''), ...select.columns], ', ')
  const orderBy = select.orderBy.length === 0 ? raw('') : sql<Value>` order by ${join(select.orderBy, ', ')}`
  return sql<Value>`${columns} from ${table} ${raw(alias)} where ${join(conditions, ' and ')}${orderBy}${standardSyntax.limitOffset(limit ?? (offset === undefined ? undefined : noLimit), offset)}`
}

/** A value of a key as the column stores it; undefined for types where a bound value may differ from a listed one. */
function keyValue<Value>(column: Column, part: SqlFragment<Value>): SqlFragment<Value> | undefined {
  switch (column.type) {
    case 'string':
      return inOwnCollation(column, part)
    case 'integer':
    case 'bigint':
      return sql<Value>`cast(${part} as ${raw(column.unsigned ? 'unsigned' : 'signed')})`
    case 'uuid':
      return part
    default:
      return undefined
  }
}

function orderOf<Value>({ orderBy }: KeyedSelect<Value>): SqlFragment<Value> {
  return orderBy.length === 0 ? raw('k.p') : join(orderBy, ', ')
}
