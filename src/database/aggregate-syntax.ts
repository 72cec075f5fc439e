import type { Column } from './database-schema.ts'
import type { SqlFragment } from './sql.ts'

/** The units by which times are grouped, in UTC. */
export const timeUnits = ['HOUR', 'DAY', 'MONTH', 'YEAR'] as const

export type TimeUnit = (typeof timeUnits)[number]

/** What is computed of the values of a column in a group of rows; nulls are left out. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** An expression, and a column with such values: it is read, compared and sorted like that column. */
export interface TypedExpression {
  readonly expression: SqlFragment<never>
  readonly column: Column
}

/** One value of a group. */
export interface AggregateExpression extends TypedExpression {
  /** Present if the value is shown from others that are computed beside it: they are what it takes. */
  readonly shownFrom?: {
    readonly parts: readonly SqlFragment<never>[]
    readonly show: (parts: readonly SqlFragment<never>[]) => SqlFragment<never>
  }
}

/** How one product groups rows and computes aggregates. */
export interface AggregateSyntax {
  /** A column in a form in which two values are equal exactly if they are shown alike. */
  exactValue(column: Column, expression: SqlFragment<never>): TypedExpression
  /**
   * The beginning of the unit that a date and time is in, in UTC; of a date, the first day. Null for what is neither.
   * `column` is a `dateTime` or a `date`, `expression` not yet in the exact form.
   */
  startOf(unit: TimeUnit, column: Column, expression: SqlFragment<never>): TypedExpression
  /**
   * One value of a group, from the values of a column in the exact form. `sum` is exact for integers and decimals. `avg` is that
   * sum as a 64-bit number, divided by the number of values. `min` and `max` compare texts by code point.
   */
  aggregate(fn: AggregateFunction, column: Column, values: SqlFragment<never>): AggregateExpression
  /** The number of rows of a group. */
  readonly countRows: TypedExpression
}
