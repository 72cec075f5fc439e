/** Queries that sort and filter by fields that the caller is given on some rows only. */
import type { Condition, ListQuery, PlainEntity, PlainRow } from '../plain-evaluator.ts'
import type { Random } from '../random.ts'
import type { PlainView } from './plain-rights.ts'
import type { State } from './rights-world.ts'

/** The values that the caller does not see, by the fields that it sees on other rows of an entity. */
function hiddenValues(name: string, view: PlainView, state: State): ReadonlyMap<string, PlainRow[string][]> {
  const found = new Map<string, PlainRow[string][]>()
  for (const row of state.get(name) ?? []) {
    const seen = view.seen(row, state)
    if (seen === undefined) continue
    for (const field of view.fields) {
      const value = row[field] ?? null
      if (value !== null && seen[field] === null) found.set(field, [...(found.get(field) ?? []), value])
    }
  }
  return found
}

/** A list that is sorted or filtered by such a field, or both; undefined if there is none. */
export function maskedQuery(
  { name, columns }: PlainEntity,
  view: PlainView,
  state: State,
  random: Random,
): Pick<ListQuery, 'equal' | 'filters' | 'asc' | 'desc'> | undefined {
  const hidden = [...hiddenValues(name, view, state)].filter(([field]) => columns.has(field))
  if (hidden.length === 0) return undefined
  const [field, values] = random.pick(hidden)
  const how = random.below(3)
  const val = random.pick(values)
  const condition: Condition = { key: field, op: random.pick(['==', '==', '!=', '>=', '<=']), val }
  const isAscending = random.below(2) === 0
  return {
    equal: how === 1 ? [[field, val]] : [],
    filters: how === 2 ? [condition] : [],
    asc: how === 0 && isAscending ? [field] : [],
    desc: how === 0 && !isAscending ? [field] : [],
  }
}
