/** The call that changes a record. */
import { mergePatchOf } from './merge-patch.ts'
import {
  ifMatch,
  type RecordValues,
  type StoredRecord,
  type WritableField,
  type WriteCall,
} from './stored-record.ts'

/** Which calls the roles allow on a record. */
export interface ChangeMethods {
  readonly PATCH: boolean
  readonly PUT: boolean
}

/**
 * Sends what changed, if the roles allow that and a merge patch can say it, otherwise the whole record; undefined if neither
 * is possible: a value that was not read would be lost.
 */
export function changeCall(
  stored: StoredRecord,
  changes: RecordValues,
  fields: readonly WritableField[],
  allowed: ChangeMethods,
): WriteCall | undefined {
  const { path, values, etag } = stored
  const patches = Object.entries(changes).map(
    ([name, value]) => [name, mergePatchOf(values[name], value)] as const,
  )
  const headers = ifMatch(etag)
  if (allowed.PATCH && patches.every(([, patch]) => patch !== undefined)) {
    const body = Object.fromEntries(patches.map(([name, patch]) => [name, patch?.patch]))
    return { method: 'PATCH', path, headers, body }
  }
  const names = fields.map(({ api_name: name }) => name)
  const isKnown = names.every((name) => Object.hasOwn(values, name) || Object.hasOwn(changes, name))
  if (!allowed.PUT || !isKnown) return undefined
  const whole = { ...values, ...changes }
  return { method: 'PUT', path, headers, body: Object.fromEntries(names.map((name) => [name, whole[name]])) }
}
