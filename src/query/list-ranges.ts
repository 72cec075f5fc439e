/**
 * Splits a sorted list into consecutive ranges of an index. An index serves an order only if it has nulls in the same
 * position, and with several terms a cursor is at the start of several ranges.
 */
import type { Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { raw, type SqlFragment, sql } from '../database/sql.ts'
import { columnOf } from './compile-filter.ts'
import { compilePosition, type PositionRange, positionRanges } from './compile-position.ts'
import type { OrderTerm } from './order-term.ts'
import type { CursorSource, SelectPlan } from './select-plan.ts'

type ListPlan = Pick<SelectPlan, 'table' | 'orderBy'>

/** The ranges of the list from `start` on, or of the whole list, in reading order. */
export function rangesOf(
  { table, orderBy }: ListPlan,
  start: CursorSource | undefined,
  reversed: boolean,
  alias: string,
  dialect: Dialect,
): readonly PositionRange[] {
  const { syntax } = dialect
  const keys = orderBy.map(({ column }) => syntax.sortKey(column, columnOf(column, alias, dialect)))
  if (start !== undefined) {
    const side = reversed ? 'before' : 'after'
    // No index has columns of other rows, and each range would join them again.
    return orderBy.some(({ via }) => via !== undefined)
      ? [{ condition: compilePosition(side, start, orderBy, keys, dialect), known: [] }]
      : positionRanges(side, start, orderBy, keys, dialect)
  }
  const [term] = orderBy
  const [key] = keys
  if (term === undefined || key === undefined || !isParted(term, table, dialect)) return [{ known: [] }]
  const nulls: PositionRange = { condition: sql`${key} is null`, known: ['null'] }
  const values: PositionRange = { condition: sql`${key} is not null`, known: ['value'] }
  const goesUp = (term.direction === 'asc') !== reversed
  return goesUp === syntax.nullsLowest(term.column) ? [nulls, values] : [values, nulls]
}

/** Whether an index serves the nulls and the values of a column only separately. */
function isParted({ column }: OrderTerm, table: Table, dialect: Dialect): boolean {
  if (!column.nullable || table.kind === 'view' || !table.columns.has(column.name)) return false
  return !dialect.syntax.sortsNullsByIndex(column) || isUniqueKey(table, new Set([column.name]))
}

/** The `order by` terms of a range, up to those that make its order total. */
export function orderOfRange(
  { table, orderBy }: ListPlan,
  known: PositionRange['known'],
  reversed: boolean,
  alias: string,
  dialect: Dialect,
): readonly SqlFragment<never>[] {
  const { syntax } = dialect
  const terms: SqlFragment<never>[] = []
  const telling = new Set<string>()
  for (const [index, { column, direction }] of orderBy.entries()) {
    const own = columnOf(column, alias, dialect)
    const key = syntax.sortKey(column, own)
    const isNullable = column.nullable && known[index] === undefined
    if (known[index] !== 'same') {
      // A range of nulls only has no order of its own: it takes the direction of the next term.
      const { direction: wanted } =
        known[index] === 'null' ? (orderBy[index + 1] ?? { direction }) : { direction }
      const turned = reversed === (wanted === 'asc') ? 'desc' : 'asc'
      terms.push(syntax.orderTerm(key, turned, { ...column, nullable: isNullable }))
    }
    if (key === own && !isNullable && known[index] !== 'null') telling.add(column.name)
    if (isUniqueKey(table, telling)) break
  }
  return terms
}

/**
 * The leading sort column with its direction, if later terms have the opposite direction and only an index on this
 * column helps: on products that then sort the table.
 */
export function leadingOf(
  { table, orderBy, filter, rights }: Pick<SelectPlan, 'table' | 'orderBy' | 'filter' | 'rights'>,
  known: PositionRange['known'],
  reversed: boolean,
  alias: string,
  dialect: Dialect,
): { readonly column: SqlFragment<never>; readonly order: SqlFragment<never> } | undefined {
  const [term, ...others] = orderBy
  const isWhole = filter === undefined || (filter.kind === 'and' && filter.filters.length === 0)
  if (term === undefined || !isWhole || rights !== undefined || known[0] === 'same' || known[0] === 'null')
    return undefined
  if (!table.indexed?.has(term.column.name)) return undefined
  const own = columnOf(term.column, alias, dialect)
  const terms = orderOfRange({ table, orderBy }, known, reversed, alias, dialect)
  const isMixed = others.slice(0, terms.length - 1).some(({ direction }) => direction !== term.direction)
  const [order] = terms
  const isItself = dialect.syntax.sortKey(term.column, own) === own
  return isMixed && isItself && order !== undefined ? { column: own, order } : undefined
}

/** Whether no two rows have the same non-null values in these columns. */
function isUniqueKey({ kind, primaryKey, uniqueKeys }: Table, names: ReadonlySet<string>): boolean {
  return (
    kind === 'table' &&
    [primaryKey, ...uniqueKeys].some((key) => key.length > 0 && key.every((name) => names.has(name)))
  )
}

/** Ranges that are read separately, as one statement: each selects its index `s` and the sort keys `o0`, `o1`, … */
export function unionOf<Value>(
  selects: readonly SqlFragment<Value>[],
  columns: number,
  outerOrder: readonly SqlFragment<never>[],
  end: SqlFragment<Value>,
): SqlFragment<Value> {
  const names = columns === 0 ? '1' : Array.from({ length: columns }, (_, index) => `c${index}`).join(', ')
  const parts = selects.map((select, index) => sql<Value>`select * from (${select}) ${raw(`r${index}`)}`)
  const union = parts.reduce((all, part) => sql<Value>`${all} union all ${part}`)
  const order = [raw('s'), ...outerOrder].reduce((all, term) => sql`${all}, ${term}`)
  return sql<Value>`select ${raw(names)} from (${union}) ranges order by ${order}${end}`
}
