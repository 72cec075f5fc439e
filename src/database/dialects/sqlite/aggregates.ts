/** Groups and aggregates of SQLite, whose own sums of decimals are not exact, and of integers limited to 64 bits. */
import type { AggregateSyntax, TimeUnit } from '../../aggregate-syntax.ts'
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import { countOf, startText } from '../standard-aggregates.ts'
import { comparedForm } from './column-codec.ts'
import { decimalKeyFunction, decimalOfKeyFunction } from './decimal-key.ts'
import { decimalAverageFunction, decimalSumFunction } from './decimal-sum.ts'
import { numberTextFunction } from './number-text.ts'
import { exactDecimal } from './types.ts'

const count = countOf('BIGINT')
const decimal: Column = { ...count, type: 'decimal', nativeType: exactDecimal }
const float: Column = { ...count, type: 'float', nativeType: 'REAL' }

export const sqliteAggregates: AggregateSyntax = {
  exactValue: (column, expression) => ({ column, expression: exactForm(column, expression) }),

  startOf: (unit, column, expression) => ({
    column: { ...count, type: column.type, nativeType: column.nativeType },
    expression: startOf(unit, column, comparedForm(column, expression)),
  }),

  countRows: { column: count, expression: raw('count(*)') },

  aggregate(fn, column, values) {
    switch (fn) {
      case 'count':
        return { column: count, expression: sql`count(${values})` }
      case 'countDistinct':
        return { column: count, expression: sql`count(distinct ${values})` }
      case 'sum':
        return column.type === 'float'
          ? { column: float, expression: sql`sum(${numberOnly(column, values)})` }
          : { column: decimal, expression: sql`${raw(decimalSumFunction)}(${values})` }
      case 'avg':
        return {
          column: float,
          expression:
            column.type === 'float'
              ? sql`avg(${numberOnly(column, values)})`
              : sql`${raw(decimalAverageFunction)}(${values})`,
        }
      case 'min':
      case 'max':
        return {
          column,
          expression:
            column.nativeType === exactDecimal
              ? sql`${raw(decimalOfKeyFunction)}(${raw(fn)}(${raw(decimalKeyFunction)}(${values})))`
              : sql`${raw(fn)}(${values})`,
        }
    }
  },
}

/** Without a type, a number is shown like the text of its digits. */
function exactForm(column: Column, expression: SqlFragment<never>): SqlFragment<never> {
  if (column.type !== 'other') return comparedForm(column, expression)
  return sql`case typeof(${expression}) when 'integer' then cast(${expression} as text) when 'real' then ${raw(numberTextFunction)}(${expression}) else ${expression} end`
}

function numberOnly({ loose }: Column, values: SqlFragment<never>): SqlFragment<never> {
  return loose === undefined ? values : sql`iif(typeof(${values}) in ('integer', 'real'), ${values}, null)`
}

const day = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'

function startOf(unit: TimeUnit, column: Column, text: SqlFragment<never>): SqlFragment<never> {
  const { length, end } = startText(unit, column)
  const pattern = column.type === 'date' ? day : `${day} [0-2][0-9]:*`
  return sql`iif(${text} glob ${raw(`'${pattern}'`)}, substr(${text}, 1, ${raw(String(length))}) || ${raw(`'${end}'`)}, null)`
}
