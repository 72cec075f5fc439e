/** The order in which groups are read. */
import type { TotalFunction } from './total-functions.ts'

/** What groups are sorted by: their keys, how many rows they have, or a value of a column. */
export type GroupSort =
  | { readonly kind: 'keys' }
  | { readonly kind: 'rows' }
  | { readonly kind: 'value'; readonly column: string; readonly fn: TotalFunction }

export interface GroupOrder {
  readonly by: GroupSort
  readonly isDescending: boolean
}

/** That of their keys, in which they come by themselves. */
export const keyOrder: GroupOrder = { by: { kind: 'keys' }, isDescending: false }

/** Whether groups can be sorted by a function of a column: not by how often it is not null. */
export function isSortable(fn: TotalFunction): boolean {
  return fn !== 'count'
}

/** The value of the argument `orderBy`, as a document has it; '' for the order of the keys. */
export function orderByText({ by, isDescending }: GroupOrder, keys: readonly string[]): string {
  const direction = isDescending ? 'DESC' : 'ASC'
  switch (by.kind) {
    case 'keys':
      return isDescending ? `[${keys.map((key) => `{ keys: { ${key}: DESC } }`).join(', ')}]` : ''
    case 'rows':
      return `[{ count: ${direction} }]`
    case 'value':
      return `[{ ${by.fn}: { ${by.column}: ${direction} } }]`
  }
}
