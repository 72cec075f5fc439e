/** The conditions that find the rows of a group. */
import type { Condition } from '../filters.ts'
import type { TimeUnit } from './total-functions.ts'
import type { GroupTerm } from './totals-choice.ts'

/** Undefined if no conditions say which rows these are: those without a time that has a year of four digits. */
export function conditionsOfGroup(
  by: readonly GroupTerm[],
  keys: Readonly<Record<string, unknown>>,
): readonly Condition[] | undefined {
  const conditions = by.map(({ field, every }) => {
    const value = keys[field]
    return every === undefined
      ? [{ key: field, op: '==', val: value } as const]
      : conditionsOfUnit(field, String(value), every)
  })
  return conditions.includes(undefined) ? undefined : conditions.flatMap((list) => list ?? [])
}

function conditionsOfUnit(key: string, from: string, every: TimeUnit): readonly Condition[] | undefined {
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(from)) return undefined
  const to = nextUnit(from, every)
  const next = to.length === from.length ? [{ key, op: '<', val: to } as const] : []
  return [{ key, op: '>=', val: from }, ...next]
}

/** When the unit after that begins, written in the same way; longer from the year 10000 on. */
function nextUnit(from: string, every: TimeUnit): string {
  const hasTime = from.includes('T')
  const date = new Date(hasTime ? `${from}Z` : from)
  if (every === 'HOUR') date.setUTCHours(date.getUTCHours() + 1)
  if (every === 'DAY') date.setUTCDate(date.getUTCDate() + 1)
  if (every === 'MONTH') date.setUTCMonth(date.getUTCMonth() + 1)
  if (every === 'YEAR') date.setUTCFullYear(date.getUTCFullYear() + 1)
  const text = date.toISOString()
  return hasTime ? text.replace(/\.000Z$/, '') : text.replace(/T.*$/, '')
}
