/** The groups of a list in their order, and the part of them that is read. */
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { AggregatePlan, GroupOrder } from './aggregate-plan.ts'
import type { Binding } from './binding.ts'
import { columnOf } from './compile-filter.ts'
import { fetchLimit, orderClause, rowCountParameter } from './select-parts.ts'

interface GroupList {
  /** All groups, as they stand behind `from`. */
  readonly groups: SqlFragment<Binding>
  readonly alias: string
  /** Whether they are those of many lists, with the number of the list in the column `k`. */
  readonly isKeyed: boolean
  readonly keys: readonly Column[]
  readonly values: readonly Column[]
  /** How many are read at most, and one more; undefined if there is one. */
  readonly mostGroups: number | undefined
}

/** What stands behind `from`: the sorted groups. */
export function compileGroupList(
  list: GroupList,
  { orderBy = [], part }: Pick<AggregatePlan, 'orderBy' | 'part'>,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { groups, alias, isKeyed, mostGroups } = list
  const { offset, limit } = part ?? {}
  const terms = orderTerms(list, orderBy, dialect)
  if (!isKeyed) {
    const most = limit === undefined ? atMost(mostGroups) : fetchLimit({ first: limit }, false, mostGroups)
    const skipped = offset && rowCountParameter(offset)
    return sql<Binding>`${groups}${orderClause(terms)}${dialect.syntax.limitOffset<Binding>(most, skipped)}`
  }
  const most = dialect.syntax.limitOffset<Binding>(atMost(mostGroups), undefined)
  const key = raw(`${alias}.k`)
  if (offset === undefined && limit === undefined)
    return sql<Binding>`${groups}${orderClause([key, ...terms])}${most}`
  // A part of each list: its groups are numbered.
  const number = raw(`${alias}.n`)
  const position = sql<never>`row_number() over (partition by ${key}${orderClause(terms)})`
  const numbered = sql<Binding>`select ${raw(alias)}.*, ${position} as n from ${groups}`
  const counted = offset === undefined ? number : sql<Binding>`${number} - ${rowCountParameter(offset)}`
  const isRead = [
    ...(offset === undefined ? [] : [sql<Binding>`${counted} > 0`]),
    ...(limit === undefined ? [] : [sql<Binding>`${counted} <= ${rowCountParameter(limit)}`]),
  ]
  return sql<Binding>`(${numbered}) ${raw(alias)} where ${join(isRead, ' and ')}${orderClause([key, number])}${most}`
}

function atMost(mostGroups: number | undefined): SqlFragment<never> | undefined {
  return mostGroups === undefined ? undefined : raw(String(mostGroups + 1))
}

/** The terms that are given, then the keys. */
function orderTerms(
  { alias, keys, values }: GroupList,
  orderBy: readonly GroupOrder[],
  dialect: Dialect,
): readonly SqlFragment<never>[] {
  const { syntax } = dialect
  const given = orderBy.map(({ of, index, direction }) => ({
    column: (of === 'keys' ? keys : values)[index],
    direction,
  }))
  const rest = keys.filter((key) => given.every(({ column }) => column !== key))
  return [...given, ...rest.map((column) => ({ column, direction: 'asc' as const }))].flatMap(
    ({ column, direction }) =>
      column === undefined
        ? []
        : syntax.orderTerm(syntax.sortKey(column, columnOf(column, alias, dialect)), direction, column),
  )
}
