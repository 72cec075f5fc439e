import { isDeepStrictEqual } from 'node:util'

/** Applies a JSON merge patch to a value: https://www.rfc-editor.org/rfc/rfc7396#section-2 */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

/**
 * The new values of the members that a merge patch names. Unlike within a value, null does not remove a field of a
 * record: every record has every field, and null is its value. A value that is sent as it was read changes nothing, even
 * if it contains nulls.
 */
export function patchedMembers(record: Readonly<Record<string, unknown>>, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = Object.entries(patch).map(([name, value]) => {
    const before = Object.hasOwn(record, name) ? record[name] : undefined
    return [name, isDeepStrictEqual(before, value) ? value : mergePatch(before, value)]
  })
  return Object.fromEntries(members)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
