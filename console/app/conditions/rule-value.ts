/** The values that conditions compare with or set: fixed ones, and those that are known when a request comes. */
import { isJson } from '../data/show-value.ts'
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

/** Those of some kinds that fit a field, and the one that is chosen. */
export function kindsFor(
  kinds: readonly ValueKind[],
  field: Field | undefined,
  chosen: ValueKind,
): readonly ValueKind[] {
  const isOfTime = field === undefined || ['dateTime', 'date'].includes(field.kind)
  return kinds.filter((kind) => kind === chosen || kind !== 'now' || isOfTime)
}

/** The names of values of accounts that fit a field. Its metadata may be anything. */
export function accountNamesFor(
  field: Field | undefined,
  isList: boolean,
  metadataKeys: readonly string[],
): readonly string[] {
  const isText = field === undefined || (['string', 'uuid', 'other'].includes(field.kind) && !isJson(field))
  const own = isList ? 'roles' : 'username'
  return [...(isText ? [own] : []), ...metadataKeys.map((key) => metadataStart + key), metadataStart]
}

const metadataStart = 'metadata.'

/** Durations that are often wanted, to offer them. */
export const durations = ['PT0S', '-PT1H', '-P1D', '-P7D', '-P30D', 'P1D', 'P7D'] as const

/** The first value of a kind that fits a field; of fixed ones, an empty list where a list is compared with. */
export function valueOfKind(kind: ValueKind, isList: boolean, field: Field | undefined): unknown {
  if (kind === 'account') return { account: accountNamesFor(field, isList, [])[0] }
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
