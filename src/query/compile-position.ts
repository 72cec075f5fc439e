import type { Dialect } from '../database/dialect.ts'
import { join, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import { valueParameter } from './compile-filter.ts'
import type { CursorSource, OrderTerm } from './select-plan.ts'

/** Which rows are meant, seen from a cursor. */
export type Side = 'after' | 'before' | 'atOrAfter' | 'atOrBefore'

/** One term of the order with everything that a comparison needs. */
interface Term {
  /** What the rows are sorted by. */
  readonly key: SqlFragment<never>
  /** The cursor's value there; undefined for a null. */
  readonly value: SqlFragment<Binding> | undefined
  readonly nullable: boolean
  /** Whether wanted rows have a greater or a lesser key. */
  readonly greater: boolean
}

/**
 * The condition that a row stands on one side of a cursor. `keys` are the sort keys of the order's terms.
 *
 * Written so that an index on the order is entered at the cursor: one row comparison where the product
 * enters an index by it and all terms run the same way, otherwise `a <= x and (a < x or …)`, never `a < x or (a = x and …)`. Nulls are
 * lower than any value.
 */
export function compilePosition(
  side: Side,
  cursor: CursorSource,
  orderBy: readonly OrderTerm[],
  keys: readonly SqlFragment<never>[],
  { syntax }: Dialect,
): SqlFragment<Binding> {
  const inclusive = side === 'atOrAfter' || side === 'atOrBefore'
  const forward = side === 'after' || side === 'atOrAfter'
  const terms = orderBy.map(({ column, direction }, position): Term => {
    const { source } = cursor
    const part = {
      kind: 'part',
      of: source,
      encoding: 'cursor',
      position,
      count: orderBy.length,
      label: source.label,
    } as const
    return {
      key: keys[position] ?? raw('null'),
      value: cursor.nulls[position] ? undefined : syntax.sortKey(column, valueParameter(column, part)),
      nullable: column.nullable,
      greater: (direction === 'asc') === forward,
    }
  })
  const together = syntax.comparesRowsByIndex ? rowComparison(terms, inclusive) : undefined
  return together ?? termByTerm(terms, inclusive)
}

function rowComparison(terms: readonly Term[], inclusive: boolean): SqlFragment<Binding> | undefined {
  const greater = terms[0]?.greater
  const values: SqlFragment<Binding>[] = []
  for (const term of terms) {
    if (term.nullable || term.value === undefined || term.greater !== greater) return undefined
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
  const { key, value, nullable, greater } = term
  if (value === undefined) {
    return greater
      ? sql<Binding>`(${key} is not null or ${rest})`
      : sql<Binding>`(${key} is null and ${rest})`
  }
  if (greater) return sql<Binding>`(${key} >= ${value} and (${key} > ${value} or ${rest}))`
  const alsoNull = nullable ? sql<Binding>` or ${key} is null` : raw('')
  return sql<Binding>`((${key} <= ${value}${alsoNull}) and (${key} < ${value}${alsoNull} or ${rest}))`
}
