/** What is computed of all rows of a list, or of its groups, before any SQL. Plain data. */
import type { AggregateFunction, TimeUnit } from '../database/aggregate-syntax.ts'
import type { Column, ColumnType } from '../database/database-schema.ts'
import type { Row } from '../database/sql-value.ts'
import { codecOf } from './codec/codec-of.ts'
import type { ColumnCodec } from './codec/column-codec.ts'
import type { Filter } from './filter.ts'
import type { OrderTerm } from './order-term.ts'
import type { ValueSource } from './value-source.ts'

/** A field that rows are grouped by: its values, or the units of time that they are in. */
export interface GroupTerm {
  readonly column: Column
  readonly every?: TimeUnit
}

/** Without a column, the number of rows. */
export type AggregateValue =
  | { readonly fn: 'rows'; readonly column?: undefined }
  | { readonly fn: AggregateFunction; readonly column: Column }

/** What groups are sorted by: one of their keys or values. */
export interface GroupOrder {
  readonly of: 'keys' | 'values'
  readonly index: number
  readonly direction: OrderTerm['direction']
}

/** Which part of the sorted groups of each list is read. */
export interface GroupPart {
  readonly offset: ValueSource | undefined
  readonly limit: ValueSource | undefined
}

/**
 * One statement beside the rows of a select: the rows that match its filter and belong to its keys, whatever the page.
 * Its rows have first the keys of the group, then the values.
 */
export interface AggregatePlan {
  /**
   * Undefined: all rows together, also if there is none. Otherwise one row for each group, sorted by `orderBy`, and then by its
   * keys.
   */
  readonly by: readonly GroupTerm[] | undefined
  readonly values: readonly AggregateValue[]
  /** Which groups: a filter on the columns that `valueColumn` makes. */
  readonly having?: Filter
  readonly orderBy?: readonly GroupOrder[]
  readonly part?: GroupPart
}

const counts: ReadonlySet<AggregateValue['fn']> = new Set(['rows', 'count', 'countDistinct'])
const numbers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'float', 'decimal'])
const sorted: ReadonlySet<ColumnType> = new Set([...numbers, 'string', 'dateTime', 'date', 'time'])

/** Whether a function takes the values of a column. JSON has no values that are equal in one way only. */
export function isAggregated(fn: AggregateFunction, { type }: Column): boolean {
  switch (fn) {
    case 'count':
      return true
    case 'countDistinct':
      return type !== 'json'
    case 'sum':
    case 'avg':
      return numbers.has(type)
    case 'min':
    case 'max':
      return sorted.has(type)
  }
}

/** The type of an aggregate: sums of integers may have more than 64 bits. */
function typeOf({ fn, column }: AggregateValue): ColumnType {
  switch (fn) {
    case 'rows':
    case 'count':
    case 'countDistinct':
      return 'bigint'
    case 'sum':
      return column.type === 'float' ? 'float' : 'decimal'
    case 'avg':
      return 'float'
    case 'min':
    case 'max':
      return column.type
  }
}

/** The column that filters on a value name: the value at this index. */
export function valueColumn(value: AggregateValue, index: number): Column {
  const { single, unbounded, zeroDates, withNul } = value.column ?? {}
  return {
    name: valueName(value, index),
    type: typeOf(value),
    nativeType: '',
    nullable: true,
    hasDefault: false,
    ...(single && { single }),
    ...(unbounded && { unbounded }),
    ...(zeroDates && { zeroDates }),
    ...(withNul && { withNul }),
  }
}

/** The name of a value in the statement, in the case that products give to names without quotes. */
export function valueName({ fn }: Pick<AggregateValue, 'fn'>, index: number): string {
  return `${fn.toLowerCase()}_${index}`
}

/** The codec that shows a value. */
export function codecOfValue({ fn, column }: AggregateValue): ColumnCodec {
  switch (fn) {
    case 'rows':
    case 'count':
    case 'countDistinct':
      return codecOf({ type: 'bigint' })
    case 'sum':
      return codecOf({ type: column.type === 'integer' ? 'bigint' : column.type })
    case 'avg':
      return codecOf({ type: 'float' })
    case 'min':
    case 'max':
      return codecOf(column)
  }
}

/** The values of no rows: counts are 0, everything else is null. */
export function valuesOfNone(values: readonly AggregateValue[]): Row {
  return values.map((value) => (counts.has(value.fn) ? 0 : null))
}

/** Collects what the fields of one aggregate need: each value once. */
export class AggregateDraft implements AggregatePlan {
  readonly by: readonly GroupTerm[] | undefined
  readonly values: AggregateValue[] = []
  having?: Filter
  orderBy?: readonly GroupOrder[]
  part?: GroupPart

  constructor(by?: readonly GroupTerm[]) {
    this.by = by
  }

  /** The index of the value among the values; adds it if it is new. */
  indexOf(value: AggregateValue): number {
    const known = this.values.findIndex(({ fn, column }) => fn === value.fn && column === value.column)
    return known === -1 ? this.values.push(value) - 1 : known
  }

  /** Its position in a row. */
  positionOf(value: AggregateValue): number {
    return (this.by?.length ?? 0) + this.indexOf(value)
  }
}
