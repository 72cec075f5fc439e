/** The order in which groups are shown. They come sorted by their keys. */
import { isNumber } from '../show-value.ts'
import type { TotalFunction } from './total-functions.ts'
import type { GroupTotals } from './totals.ts'

/** What groups are sorted by: their keys, how many rows they have, or a value of a column, by its place. */
export type GroupSort =
  | { readonly kind: 'keys' }
  | { readonly kind: 'rows' }
  | { readonly kind: 'value'; readonly column: number; readonly fn: TotalFunction }

export interface GroupOrder {
  readonly by: GroupSort
  readonly isDescending: boolean
}

/** The groups in an order. Those that are equal stay in that of their keys. */
export function sortedGroups(
  groups: readonly GroupTotals[],
  { by, isDescending }: GroupOrder,
): readonly GroupTotals[] {
  if (by.kind === 'keys') return isDescending ? groups.toReversed() : groups
  const sign = isDescending ? -1 : 1
  return groups.toSorted((a, b) => sign * compare(sortedValue(a, by), sortedValue(b, by)))
}

function sortedValue(group: GroupTotals, by: GroupSort): number | string | null {
  if (by.kind !== 'value') return group.count
  const column = group.columns[by.column]
  const value = column?.values[by.fn] ?? null
  if (column === undefined || value === null) return null
  const isText = (by.fn === 'min' || by.fn === 'max') && !isNumber(column.field)
  return isText ? String(value) : Number(value)
}

function compare(a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
