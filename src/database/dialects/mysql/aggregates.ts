/** Groups and aggregates of MySQL and MariaDB. */
import type { AggregateExpression, AggregateSyntax, TimeUnit } from '../../aggregate-syntax.ts'
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import { countOf, startText } from '../standard-aggregates.ts'
import { comparesAsText, withoutLastZeros } from './column-codec.ts'
import type { MysqlServer } from './server.ts'
import { exactText } from './text-comparison.ts'
import { dataTypeOf, scaleOf } from './types.ts'

const count = countOf('bigint')
const float: Column = { ...count, type: 'float', nativeType: 'double' }

/** With the exact collation of one server. */
export function mysqlAggregates(server: MysqlServer): AggregateSyntax {
  return {
    exactValue(column, expression) {
      if (comparesAsText(column))
        return {
          expression: exactText(column, expression, server),
          column: { ...column, type: 'string', nativeType: `longtext collate ${server.exactCollation}` },
        }
      return dataTypeOf(column) === 'bit'
        ? { expression: sql`${expression} + 0`, column: { ...column, nativeType: 'bigint unsigned' } }
        : { expression, column }
    },

    startOf: (unit, column, expression) => ({
      expression: startOf(unit, column, sql`cast(${expression} as char)`),
      column: { ...count, type: column.type, nativeType: column.type === 'date' ? 'date' : 'datetime' },
    }),

    countRows: { column: count, expression: raw('count(*)') },

    aggregate(fn, column, values) {
      switch (fn) {
        case 'count':
          return { column: count, expression: sql`count(${values})` }
        case 'countDistinct':
          return { column: count, expression: sql`count(distinct ${values})` }
        case 'sum':
          return sumOf(column, values)
        case 'avg':
          return {
            column: float,
            expression: sql`cast(${hasWideSum(column) ? wideSum(values) : sql`sum(${values})`} as double) / count(${values})`,
          }
        case 'min':
        case 'max': {
          const extreme = sql`${raw(fn)}(${values})`
          // Of an expression it would have 64 bits, and be read as a text.
          return { column, expression: column.type === 'integer' ? sql`${extreme} + 0e0` : extreme }
        }
      }
    },
  }
}

/** Sums of integers and decimals are decimals. */
function sumOf(column: Column, values: SqlFragment<never>): AggregateExpression {
  const expression = sql`sum(${values})`
  if (column.type === 'float') return { expression, column: float }
  const scale = column.type === 'decimal' ? scaleOf(column) : 0
  const sum = { ...count, type: 'decimal', nativeType: `decimal(65,${scale})` } as const
  if (!hasWideSum(column)) return { expression, column: sum }
  const whole = wholeOf(values)
  return {
    expression,
    column: sum,
    shownFrom: { parts: [sql`sum(${whole})`, sql`sum(${values} - ${whole})`], show: showParts },
  }
}

/** The digits of any decimal. A sum with more would become the greatest decimal, without an error. */
const mostDigits = 65
/** The digits of a number of rows. */
const rowDigits = 12

/** Whether a sum may have more digits than a decimal. */
function hasWideSum(column: Column): boolean {
  const precision = Number(/^\w+\((\d+)/.exec(column.nativeType)?.[1] ?? mostDigits)
  return column.type === 'decimal' && precision + rowDigits > mostDigits
}

const wholeOf = (values: SqlFragment<never>) => sql`truncate(${values}, 0)`

/** A sum that may be too large without its fractions, which no 64-bit number of its size has. */
function wideSum(values: SqlFragment<never>): SqlFragment<never> {
  const whole = sql`sum(${wholeOf(values)})`
  return sql`case when abs(${whole}) < 1e34 then sum(${values}) else ${whole} end`
}

/** The sum of whole numbers and the sum of fractions, which may have another sign, as one text. */
function showParts([whole = raw('null'), fractions = raw('null')]: readonly SqlFragment<never>[]) {
  const floor = sql`(${whole} + floor(${fractions}))`
  const rest = sql`(${fractions} - floor(${fractions}))`
  const digits = (fraction: SqlFragment<never>) => sql`substring(${withoutLastZeros(fraction)}, 2)`
  return sql`case when ${rest} = 0 then cast(${floor} as char) when ${floor} < 0 then concat('-', abs(${floor} + 1), ${digits(sql`(1 - ${rest})`)}) else concat(${floor}, ${digits(rest)}) end`
}

function startOf(unit: TimeUnit, column: Column, text: SqlFragment<never>): SqlFragment<never> {
  const { length, end } = startText(unit, column)
  const start = sql`left(${text}, ${raw(String(length))})`
  const first = sql`concat(${start}, ${raw(`'${end}'`)})`
  if (!column.zeroDates || (unit !== 'MONTH' && unit !== 'YEAR')) return first
  // A month or year of zero has no first day.
  const zero = sql`concat(${start}, ${raw(`'${end.replaceAll('-01', '-00')}'`)})`
  return sql`case when ${start} like ${raw(unit === 'MONTH' ? "'%-00'" : "'0000'")} then ${zero} else ${first} end`
}
