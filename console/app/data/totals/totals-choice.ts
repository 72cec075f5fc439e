/** Which totals of a list are wanted, as its address says it. */
import type { Field } from '../tables.ts'
import { isGroupable, type TimeUnit, unitsOf } from './total-functions.ts'

/** A field that rows are grouped by; one of times also by the units of time that they are in. */
export interface GroupTerm {
  readonly field: string
  readonly every?: TimeUnit
}

/** Which totals are wanted. */
export interface TotalsChoice {
  /** Names of the fields whose values are counted and summed up. */
  readonly columns: readonly string[]
  readonly by: readonly GroupTerm[]
}

/** What is wanted before anything is chosen. */
export const noTotals: TotalsChoice = { columns: [], by: [] }

/** Whether there is nothing to compute. */
export function isEmptyChoice({ columns, by }: TotalsChoice): boolean {
  return columns.length === 0 && by.length === 0
}

/** The choice in the query of an address, as far as the fields have it; undefined if no totals are shown. */
export function choiceIn(query: URLSearchParams, fields: readonly Field[]): TotalsChoice | undefined {
  const columns = query.get('totals')
  if (columns === null) return undefined
  const known = new Map(fields.map((field) => [field.name, field]))
  const terms = listed(query.get('by')).flatMap((text) => termOf(text, known))
  return {
    columns: listed(columns).filter((name) => known.has(name)),
    by: terms.filter((term, place) => terms.findIndex(({ field }) => field === term.field) === place),
  }
}

/** The parameters of an address that show a choice. */
export function queryOfChoice({ columns, by }: TotalsChoice): Readonly<Record<string, string>> {
  const terms = by.map(({ field, every }) => (every === undefined ? field : `${field}:${every}`))
  return { totals: columns.join(), ...(terms.length === 0 ? {} : { by: terms.join() }) }
}

function termOf(text: string, known: ReadonlyMap<string, Field>): readonly GroupTerm[] {
  const [name = '', wanted] = text.split(':')
  const field = known.get(name)
  if (field === undefined || !isGroupable(field)) return []
  const every = unitsOf(field).find((unit) => unit === wanted)
  return [{ field: name, ...(every === undefined ? {} : { every }) }]
}

function listed(text: string | null): readonly string[] {
  return [...new Set(text?.split(',').filter((name) => name !== ''))]
}
