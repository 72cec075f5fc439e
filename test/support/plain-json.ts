/** What the contract says about conditions on values inside JSON, in the plainest way. */
import { meets, type Operator } from './compare-values.ts'

export type PlainPath = readonly (string | number)[]

/** A path as requests write it, with all keys in quotes. */
export function pathText(path: PlainPath): string {
  return path.map((step) => JSON.stringify(step)).join('.')
}

/** What `pathText` wrote; its keys have no dots. */
export function pathOf(text: string): PlainPath {
  return text.split('.').map((step) => JSON.parse(step) as string | number)
}

const types = { string: 'string', number: 'float', boolean: 'boolean' } as const

/** Whether the value at a path of a text meets a condition. Values of different kinds are unequal, and neither is less. */
export function meetsInJson(text: unknown, path: PlainPath, op: Operator, wanted: unknown): boolean {
  const value = valueAt(parsed(text), path)
  if (op === 'isnull') return (value === null) === Boolean(wanted)
  if (op === 'in') return (wanted as readonly unknown[]).some((one) => one !== null && equals(value, one))
  if (op === 'not in')
    return (wanted as readonly unknown[]).every(
      (one) => one !== null && value !== null && !equals(value, one),
    )
  if (op === 'between') {
    const [from, to] = wanted as readonly unknown[]
    return meetsInJson(text, path, '>=', from) && meetsInJson(text, path, '<=', to)
  }
  if (wanted === null) return (op === '==' && value === null) || (op === '!=' && value !== null)
  if (op === '!=') return value !== null && !equals(value, wanted)
  const kind = typeof value
  if (kind !== 'string' && kind !== 'number' && kind !== 'boolean') return false
  return kind === typeof wanted && meets(types[kind], value, op, wanted)
}

function equals(value: unknown, wanted: unknown): boolean {
  return value !== null && typeof value !== 'object' && value === wanted
}

/** The values inside JSON that a condition can lead to, with their paths; the keys need no escapes. */
export function pathsIn(text: unknown): readonly { readonly path: PlainPath; readonly value: unknown }[] {
  const found: { path: PlainPath; value: unknown }[] = []
  const visit = (value: unknown, path: PlainPath) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (!/^[\w !#-&(-+,/:;<=?@^`{|}~-]*$/.test(key)) continue
      const next = [...path, Array.isArray(value) ? Number(key) : key]
      found.push({ path: next, value: inner })
      visit(inner, next)
    }
  }
  visit(parsed(text), [])
  return found
}

/** Whether all products read a text as the same JSON: they differ in numbers that are hardly 0, and in deep JSON. */
export function isCommonJson(text: unknown): boolean {
  return text === null || (parsed(text) !== undefined && hasCommonNumbers(parsed(text)))
}

function hasCommonNumbers(value: unknown): boolean {
  if (typeof value === 'number') return value === 0 || (Math.abs(value) > 1e-200 && Math.abs(value) < 1e200)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasCommonNumbers)
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : null
  } catch {
    return undefined
  }
}

/** Null if there is none. */
function valueAt(json: unknown, path: PlainPath): unknown {
  let value = json
  for (const step of path) {
    const isInside =
      typeof value === 'object' && value !== null && Array.isArray(value) === (typeof step === 'number')
    value = isInside && Object.hasOwn(value as object, step) ? (value as Record<string, unknown>)[step] : null
  }
  return value ?? null
}
