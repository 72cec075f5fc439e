/** How values of a column are read, which rows match a shown value, and how lists of values are bound. */
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { Syntax } from '../../syntax.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { keyListText, listQuery, listText, listValue, textListQuery } from './key-list.ts'
import type { MysqlServer } from './server.ts'
import { exactText, inOwnCollation, isExactText } from './text-comparison.ts'
import { dataTypeOf, isGeometry, scaleOf } from './types.ts'

/** For the exact collation of one server. */
export function mysqlColumnCodec(server: MysqlServer) {
  const isComparedAsIs = (column: Column) => !comparesAsText(column) || isExactText(column, server)
  return {
    readColumn: (column, expression) => renamed(column, readColumn(column, expression)),

    // For a zero date in a not-null column, the server's `is null` is true, but `<=>` with null is false.
    isNull: (column, expression, negated) =>
      column.zeroDates
        ? sql`${raw(negated ? 'not ' : '')}(${expression} <=> null)`
        : standardSyntax.isNull(column, readForm(column, expression), negated),

    equals(column, expression, value) {
      if (isComparedAsIs(column)) return sql`${expression} = ${value}`
      const same = sql`${exactText(column, expression, server)} = ${value}`
      // The column's own collation matches more texts than the same one, but can use an index.
      return column.type === 'string'
        ? sql`(${expression} = ${inOwnCollation(column, value)} and ${same})`
        : same
    },

    inList(column, expression, list, odd) {
      // A list of dates contains only calendar dates: others are compared as they are shown.
      if (odd && column.zeroDates) {
        const collate = raw(`collate ${server.exactCollation}`)
        return sql`convert(cast(${readColumn(column, expression)} as char) using utf8mb4) ${collate} in (${textListQuery(list, collate)})`
      }
      if (isComparedAsIs(column)) {
        return sql`${expression} in (${listQuery(column, list, (value) => listValue(column, value))})`
      }
      const same = sql`${exactText(column, expression, server)} in (${listQuery(column, list, (value) => sql`${value} collate ${raw(server.exactCollation)}`)})`
      return column.type === 'string'
        ? sql`(${expression} in (${listQuery(column, list, (value) => listValue(column, value))}) and ${same})`
        : same
    },

    listParameter: listText,

    keyListParameter: keyListText,
  } as const satisfies Pick<
    Syntax,
    'readColumn' | 'isNull' | 'equals' | 'inList' | 'listParameter' | 'keyListParameter'
  >
}

/** Types whose values are compared by the shown text. */
export function comparesAsText({ type }: Column): boolean {
  return type === 'string' || type === 'json' || type === 'other'
}

function readColumn<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  switch (column.type) {
    case 'decimal':
    case 'dateTime':
    case 'time':
      return scaleOf(column) === 0 ? expression : withoutLastZeros(expression)
    case 'bigint':
      return dataTypeOf(column) === 'bit' ? sql`${expression} + 0` : expression
    default:
      return readForm(column, expression)
  }
}

/** The expression that reads a value: types without a form of their own are texts. */
function readForm<Value>(column: Column, expression: SqlFragment<Value>): SqlFragment<Value> {
  if (column.type !== 'other') return expression
  return isGeometry(column) ? sql`st_astext(${expression})` : sql`cast(${expression} as char)`
}

/** The driver refuses rows with such column names; an expression gets another name. */
const refusedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function renamed(column: Column, expression: SqlFragment<never>): SqlFragment<never> {
  return refusedNames.has(column.name) ? sql`coalesce(${expression})` : expression
}

/** `1.50` as `1.5` and `1.00` as `1`. */
export function withoutLastZeros<Value>(expression: SqlFragment<Value>): SqlFragment<Value> {
  return sql`trim(trailing '.' from trim(trailing '0' from cast(${expression} as char)))`
}
