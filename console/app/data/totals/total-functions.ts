/** What can be computed of the values of fields. */
import { isJson, isNumber } from '../show-value.ts'
import type { Field } from '../tables.ts'

/** In the order in which they are shown: how many values, how many different ones, and what they add up to. */
export const totalFunctions = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const

export type TotalFunction = (typeof totalFunctions)[number]

/** Units of time, in UTC. */
export type TimeUnit = 'HOUR' | 'DAY' | 'MONTH' | 'YEAR'

type Kinds = Pick<Field, 'kind' | 'entity_type'>

/** What is computed of all values of a field. */
export function functionsOf(field: Kinds): readonly TotalFunction[] {
  if (isJson(field)) return ['count']
  if (isNumber(field)) return totalFunctions
  const isSorted = isTimed(field) || field.kind === 'time' || field.kind === 'string'
  return ['count', 'countDistinct', ...(isSorted ? (['min', 'max'] as const) : [])]
}

/** The most telling of these, for each group of rows: fewer, since groups have them side by side. */
export function functionsOfGroups(field: Kinds): readonly TotalFunction[] {
  if (isNumber(field)) return ['sum', 'avg', 'min', 'max']
  const [first = 'count', ...others] = functionsOf(field)
  return others.length === 0 ? [first] : others
}

/** Whether rows can be grouped by the values of a field. */
export function isGroupable(field: Kinds): boolean {
  return !isJson(field)
}

/** The units of time that values of a field are in; none if they are no times. */
export function unitsOf({ kind }: Pick<Field, 'kind'>): readonly TimeUnit[] {
  if (kind === 'date') return ['DAY', 'MONTH', 'YEAR']
  return kind === 'dateTime' ? ['HOUR', 'DAY', 'MONTH', 'YEAR'] : []
}

function isTimed({ kind }: Kinds): boolean {
  return kind === 'dateTime' || kind === 'date'
}
