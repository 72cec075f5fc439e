/** Which entries of the audit are wanted. */
import type { components } from '../api/gateway-api.d.ts'

export type AuditEntry = components['schemas']['AuditEntry']

/** What can be done with a record. */
export const actions = ['created', 'changed', 'deleted'] as const satisfies readonly AuditEntry['action'][]

/** The kinds of records whose changes are in the audit. */
export const records = [
  'role',
  'account',
  'api_key',
  'token',
  'route',
  'entity',
  'name',
] as const satisfies readonly AuditEntry['record'][]

/** Filters as they are typed; '' for any. Times are local, as `<input type="datetime-local">` has them. */
export interface AuditFilters {
  readonly account: string
  readonly action: AuditEntry['action'] | ''
  readonly record: AuditEntry['record'] | ''
  readonly name: string
  readonly from: string
  readonly to: string
}

/** Everything. */
export const noFilters: AuditFilters = { account: '', action: '', record: '', name: '', from: '', to: '' }

/** The parameters of the call. */
export function queryOf({ account, action, record, name, from, to }: AuditFilters) {
  return {
    ...(account && { account }),
    ...(action && { action }),
    ...(record && { record }),
    ...(name && { name }),
    ...timeOf('from', from),
    ...timeOf('to', to),
  }
}

/** A local time as UTC; nothing for one that is being typed. */
function timeOf<Key extends 'from' | 'to'>(key: Key, text: string): { readonly [name in Key]?: string } {
  const time = new Date(text)
  const isTime = text !== '' && !Number.isNaN(time.getTime())
  return (isTime ? { [key]: time.toISOString() } : {}) as { readonly [name in Key]?: string }
}
