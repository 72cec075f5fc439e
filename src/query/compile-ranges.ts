import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import type { PositionRange } from './compile-position.ts'
import { leadingOf, orderOfRange, rangesOf, unionOf } from './list-ranges.ts'
import {
  alias,
  columnsOf,
  conditionsOf,
  isReversed,
  orderTerms,
  positionConditions,
  type RowSelection,
  rowCountParameter,
  selectRows,
  sortKeysOf,
  sourceOf,
} from './select-parts.ts'
import type { SelectPlan } from './select-plan.ts'

/** Reads a page as ranges of an index: each is read until the page is full. */
export function compileRanges(
  plan: SelectPlan,
  dialect: Dialect,
  limit: SqlFragment<Binding>,
): SqlFragment<Binding> {
  const { page, orderBy } = plan
  const reversed = isReversed(page)
  const start = reversed ? page.before : page.after
  const others = positionConditions(page).filter(({ cursor }) => cursor !== start)
  const whole = conditionsOf(plan, others, sortKeysOf(orderBy, dialect), dialect)
  const offset = page.offset && rowCountParameter(page.offset)
  const reach = offset === undefined ? limit : parameter<Binding>({ kind: 'reachCount', page })
  const ranges = rangesOf(plan, start, reversed, alias, dialect).map((range) =>
    selectionOf(range, { plan, whole, reach, reversed }, dialect),
  )
  const [only = { where: raw('1 = 0') }] = ranges
  if (ranges.length <= 1) return selectRows(plan, { ...only, limit, offset }, dialect)
  const sortKeys = sortKeysOf(orderBy, dialect).map((key, index) => sql`${key} as ${raw(`o${index}`)}`)
  const columns = columnsOf(plan, dialect).map((column, index) => sql`${column} as ${raw(`c${index}`)}`)
  const selects = ranges.map((range, index) => {
    const selected = [...columns, raw(`${index} as s`), ...sortKeys]
    return selectRows(plan, { ...range, columns: selected, limit: reach }, dialect)
  })
  const outerKeys = orderBy.map((_, index) => raw(`o${index}`))
  return unionOf(
    selects,
    columns.length,
    orderTerms(orderBy, outerKeys, reversed, dialect),
    dialect.syntax.limitOffset<Binding>(limit, offset),
  )
}

interface RangeContext {
  readonly plan: SelectPlan
  /** The condition of all ranges. */
  readonly whole: SqlFragment<Binding> | undefined
  /** The most rows read from each range. */
  readonly reach: SqlFragment<Binding>
  readonly reversed: boolean
}

function selectionOf(
  { condition, known }: PositionRange,
  { plan, whole, reach, reversed }: RangeContext,
  dialect: Dialect,
): RowSelection {
  const conditions = [whole, condition].filter((part) => part !== undefined)
  const where = conditions.length === 0 ? undefined : join(conditions, ' and ')
  const orderBy = orderOfRange(plan, known, reversed, alias, dialect)
  const { fromLeading } = dialect.syntax
  const leading = fromLeading && leadingOf(plan, known, reversed, alias, dialect)
  if (fromLeading === undefined || leading === undefined) return { where, orderBy }
  const from = fromLeading<Binding>({
    ...leading,
    table: sourceOf(plan, dialect),
    alias,
    where,
    limit: reach,
  })
  return { from, where, orderBy }
}
