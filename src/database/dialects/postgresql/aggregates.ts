/** Groups and aggregates of PostgreSQL. */
import type { AggregateFunction, AggregateSyntax, TypedExpression } from '../../aggregate-syntax.ts'
import type { Column } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import { countOf } from '../standard-aggregates.ts'
import { comparesAsText, exactForm, postgresqlColumnCodec } from './column-codec.ts'

const count = countOf('bigint')
const decimal: Column = { ...count, type: 'decimal', nativeType: 'numeric' }
const float: Column = { ...count, type: 'float', nativeType: 'double precision' }

export const postgresqlAggregates: AggregateSyntax = {
  exactValue: (column, expression) => ({
    expression: exactForm(column, expression),
    column: exactColumn(column),
  }),

  // With the time zone UTC already applied.
  startOf: (unit, column, expression) => {
    const time =
      column.type === 'date'
        ? sql`${expression}::timestamp`
        : postgresqlColumnCodec.readColumn(column, expression)
    const start = sql`pg_catalog.date_trunc(${raw(`'${unit.toLowerCase()}'`)}, ${time})`
    return column.type === 'date'
      ? { expression: sql`${start}::date`, column: { ...count, type: 'date', nativeType: 'date' } }
      : {
          expression: start,
          column: { ...count, type: 'dateTime', nativeType: 'timestamp without time zone' },
        }
  },

  countRows: { column: count, expression: raw('pg_catalog.count(*)') },

  aggregate(fn, column, values) {
    switch (fn) {
      case 'count':
        return { column: count, expression: sql`pg_catalog.count(${values})` }
      case 'countDistinct':
        return { column: count, expression: sql`pg_catalog.count(distinct ${values})` }
      case 'sum':
        return sumOf(column, values)
      case 'avg':
        return {
          column: float,
          expression: sql`(${floatOf(column, sumOf(column, values).expression)} / pg_catalog.count(${values}))`,
        }
      case 'min':
      case 'max':
        return extreme(fn, column, values)
    }
  },
}

function exactColumn(column: Column): Column {
  if (comparesAsText(column)) return { ...column, type: 'string', nativeType: 'text exact' }
  if (column.type === 'time') return { ...column, nativeType: 'time without time zone' }
  return column.type === 'bigint' ? { ...column, nativeType: 'bigint' } : column
}

/** A sum of 32-bit numbers would have 32 bits. */
function sumOf(column: Column, values: SqlFragment<never>): TypedExpression {
  return column.type === 'float'
    ? { column: float, expression: sql`pg_catalog.sum(${values}::double precision)` }
    : { column: decimal, expression: sql`pg_catalog.sum(${values})::numeric` }
}

/** A decimal may be larger than any 64-bit number, or have more decimal places. */
function floatOf({ type }: Column, sum: SqlFragment<never>): SqlFragment<never> {
  if (type !== 'decimal') return sql`${sum}::double precision`
  return sql`case when pg_catalog.abs(${sum}) < 1e308 then pg_catalog.round(${sum}, 300)::double precision when ${sum} = 'NaN' then 'NaN' when ${sum} > 0 then 'Infinity' when ${sum} < 0 then '-Infinity' end`
}

function extreme(
  fn: Extract<AggregateFunction, 'min' | 'max'>,
  column: Column,
  values: SqlFragment<never>,
): TypedExpression {
  return { column, expression: sql`${raw(`pg_catalog.${fn}`)}(${values})` }
}
