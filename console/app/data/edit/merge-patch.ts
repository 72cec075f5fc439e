/** Changes of a record as a JSON merge patch: https://www.rfc-editor.org/rfc/rfc7396 */
import { isSame } from './same.ts'

/** A patch that turns a value into another one; undefined if none does, since null in an object removes its member. */
export function mergePatchOf(before: unknown, after: unknown): { readonly patch: unknown } | undefined {
  if (!isObject(after)) return { patch: after }
  const known = isObject(before) ? before : {}
  const patch: Record<string, unknown> = {}
  for (const name of Object.keys(known)) {
    if (!Object.hasOwn(after, name)) patch[name] = null
  }
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(known, name) && isSame(known[name], value)) continue
    const inner = value === null ? undefined : mergePatchOf(known[name], value)
    if (inner === undefined) return undefined
    patch[name] = inner.patch
  }
  return { patch }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
