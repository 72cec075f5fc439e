/** Groups and aggregates of MySQL and MariaDB. */
import type { AggregateSyntax, TimeUnit } from '../../aggregate-syntax.ts'
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import { countOf, startText } from '../standard-aggregates.ts'
import { comparesAsText } from './column-codec.ts'
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
          return { column: sumColumn(column), expression: sql`sum(${values})` }
        case 'avg':
          return { column: float, expression: sql`cast(sum(${values}) as double) / count(${values})` }
        case 'min':
        case 'max':
          return { column, expression: sql`${raw(fn)}(${values})` }
      }
    },
  }
}

/** Sums of integers and decimals are decimals. */
function sumColumn(column: Column): Column {
  if (column.type === 'float') return float
  return {
    ...count,
    type: 'decimal',
    nativeType: `decimal(65,${column.type === 'decimal' ? scaleOf(column) : 0})`,
  }
}

function startOf(unit: TimeUnit, column: Column, text: SqlFragment<never>): SqlFragment<never> {
  const { length, end } = startText(unit, column)
  return sql`concat(left(${text}, ${raw(String(length))}), ${raw(`'${end}'`)})`
}
