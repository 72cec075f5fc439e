/** Fields as people choose them. */
import { ownNameOf } from './columns.ts'
import type { Field } from './tables.ts'

type Named = Pick<Field, 'name' | 'column'>

/** The name of a field, with what the database calls its column where that says more. */
export function labelOf(field: Named): string {
  const own = ownNameOf(field)
  return own === undefined ? field.name : `${field.name} (${own})`
}

/** The same of one of some fields, by its name. */
export function labelIn(fields: readonly Named[], name: string): string {
  const field = fields.find((one) => one.name === name)
  return field === undefined ? name : labelOf(field)
}

/** A field in a list to choose from, which is found by either name. */
export function optionOf(field: Named): { readonly value: string; readonly label: string } {
  return { value: field.name, label: labelOf(field) }
}
