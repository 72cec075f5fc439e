/** The values that conditions compare with or set: fixed ones, and those that are known when a request comes. */
import type { Field } from '../data/tables.ts'

/** What a value is. */
export type ValueKind = 'fixed' | 'null' | 'account' | 'now'

/** The kind of a value. */
export function kindOf(value: unknown): ValueKind {
  if (value === null) return 'null'
  if (typeof value !== 'object' || Array.isArray(value)) return 'fixed'
  if (Object.hasOwn(value, 'account')) return 'account'
  return Object.hasOwn(value, 'now') ? 'now' : 'fixed'
}

/** The first value of a kind; of fixed ones, an empty list where a list is compared with. */
export function valueOfKind(kind: ValueKind, isList: boolean): unknown {
  if (kind === 'account') return { account: 'username' }
  if (kind === 'now') return { now: '-P7D' }
  if (kind === 'null') return null
  return isList ? [] : ''
}

/** The text of a value that is known when a request comes. */
export function nameOf(value: unknown): string {
  const { account, now } = (value ?? {}) as { readonly account?: unknown; readonly now?: unknown }
  return String(account ?? now ?? '')
}

/** A field as it is written, where booleans are no numbers. */
export function writtenField(field: Field | undefined): Field | undefined {
  if (field?.entity_type !== 'boolean') return field
  const { entity_type: _, ...rest } = field
  return { ...rest, kind: 'boolean' }
}
