import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import type { OrderTerm } from './order-term.ts'
import type { CursorSource } from './select-plan.ts'

/** Which rows are selected, relative to a cursor. */
export type Side = 'after' | 'before' | 'atOrAfter' | 'atOrBefore'

/** One term of the order with what a comparison needs, in the direction of the selected rows. */
interface Term {
  /** The sort key of the rows. */
  readonly key: SqlFragment<never>
  /** The cursor's value for it; undefined for a null. */
  readonly value: SqlFragment<Binding> | undefined
  readonly nullable: boolean
  /** Whether values ascend. */
  readonly greater: boolean
  /** Whether nulls come before all values. */
  readonly nullsFirst: boolean
}

/**
 * The condition that selects the rows on one side of a cursor. `keys` are the sort keys of the order's terms.
 *
 * Written so that an index on the order can seek to the cursor: one row comparison if the product uses an index for it
 * and all terms have the same direction, otherwise `a <= x and (a < x or …)`, never `a < x or (a = x and …)`.
 */
export function compilePosition(
  side: Side,
  cursor: CursorSource,
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  { syntax }: Dialect,
): SqlFragment<Binding> {
  const inclusive = side === 'atOrAfter' || side === 'atOrBefore'
  const terms = termsOf(side, cursor, orderBy, keys, { syntax })
  const together = syntax.comparesRowsByIndex ? rowComparison(terms, inclusive) : undefined
  return together ?? termByTerm(terms, inclusive)
}

/** Some of the rows after a cursor, contiguous in an index. */
export interface PositionRange {
  /** Absent for all rows. */
  readonly condition?: SqlFragment<Binding>
  /**
   * For each term of the order what is known of these rows: that all have the same value, that all are null, or none.
   */
  readonly known: readonly ('same' | 'null' | 'value' | undefined)[]
}

/** The rows after a cursor, as ranges in order: all rows of one range come before those of the next. */
export function positionRanges(
  side: 'after' | 'before',
  cursor: CursorSource,
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  { syntax }: Pick<Dialect, 'syntax'>,
): readonly PositionRange[] {
  const terms = termsOf(side, cursor, orderBy, keys, { syntax })
  const together = syntax.comparesRowsByIndex ? rowComparison(terms, false) : undefined
  if (together !== undefined) return [{ condition: together, known: ['value'] }]
  const ranges: PositionRange[] = []
  for (let last = terms.length - 1; last >= 0; last -= 1) {
    const term = terms[last]
    if (term === undefined) continue
    const before = terms.slice(0, last)
    const same = before.map(({ key, value }) =>
      value === undefined ? sql<Binding>`${key} is null` : sql<Binding>`${key} = ${value}`,
    )
    const range = (condition: SqlFragment<Binding>, isNull: boolean): PositionRange => ({
      condition: join([...same, condition], ' and '),
      known: [
        ...before.map(({ value }) => (value === undefined ? 'null' : 'same')),
        isNull ? 'null' : 'value',
      ],
    })
    const { key, value, nullable, greater, nullsFirst } = term
    if (value === undefined) {
      if (nullsFirst) ranges.push(range(sql<Binding>`${key} is not null`, false))
      continue
    }
    ranges.push(range(sql<Binding>`${key} ${raw(greater ? '>' : '<')} ${value}`, false))
    if (nullable && !nullsFirst) ranges.push(range(sql<Binding>`${key} is null`, true))
  }
  return ranges
}

function termsOf(
  side: Side,
  { source, nulls }: CursorSource,
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  { syntax }: Pick<Dialect, 'syntax'>,
): readonly Term[] {
  const forward = side === 'after' || side === 'atOrAfter'
  // The key tells rows apart where none of it is null: then the row number, which comes last, says nothing, whoever wrote it there.
  const isNull = (name: string) => nulls[orderBy.findIndex(({ column }) => column.name === name)] === true
  const telling = orderBy.filter(
    ({ column }, index) =>
      column.onlyWithout === undefined || (!nulls[index] && column.onlyWithout.some(isNull)),
  )
  return telling.map(({ column, direction }, position): Term => {
    const part = {
      kind: 'part',
      of: source,
      encoding: 'cursor',
      position,
      count: orderBy.length,
      label: source.label,
    } as const
    const greater = (direction === 'asc') === forward
    return {
      key: keys[position] ?? raw('null'),
      value: nulls[position]
        ? undefined
        : syntax.sortKey(column, parameter<Binding>({ kind: 'stored', column, source: part })),
      nullable: column.nullable,
      greater,
      nullsFirst: greater === syntax.nullsLowest(column),
    }
  })
}

/** A row comparison is never true of a null: terms may be null only if nulls come before the cursor. */
function rowComparison(terms: readonly Term[], inclusive: boolean): SqlFragment<Binding> | undefined {
  const greater = terms[0]?.greater
  const values: SqlFragment<Binding>[] = []
  for (const term of terms) {
    if (term.value === undefined || term.greater !== greater) return undefined
    if (term.nullable && !term.nullsFirst) return undefined
    values.push(term.value)
  }
  const operator = raw(`${greater ? '>' : '<'}${inclusive ? '=' : ''}`)
  const keys = terms.map((term) => term.key)
  if (keys.length === 1) return sql<Binding>`${join(keys, '')} ${operator} ${join(values, '')}`
  return sql<Binding>`(${join(keys, ', ')}) ${operator} (${join(values, ', ')})`
}

function termByTerm([term, ...others]: readonly Term[], inclusive: boolean): SqlFragment<Binding> {
  if (term === undefined) return raw(inclusive ? '1 = 1' : '1 = 0')
  const rest = termByTerm(others, inclusive)
  const { key, value, nullable, greater, nullsFirst } = term
  if (value === undefined) {
    return nullsFirst
      ? sql<Binding>`(${key} is not null or ${rest})`
      : sql<Binding>`(${key} is null and ${rest})`
  }
  const orNull = nullable && !nullsFirst ? sql<Binding>` or ${key} is null` : raw('')
  const [orSame, beyond] = greater ? [raw('>='), raw('>')] : [raw('<='), raw('<')]
  return sql<Binding>`((${key} ${orSame} ${value}${orNull}) and (${key} ${beyond} ${value}${orNull} or ${rest}))`
}
