/** What differs between two versions of a definition. */
import { isDeepStrictEqual } from 'node:util'
import { jsonPointer } from '../../documents/parse-document.ts'
import { ownMember } from '../../util/own-member.ts'
import { absentValues } from '../definition/absent-values.ts'

/** One difference. */
export interface DefinitionChange {
  readonly kind: 'added' | 'removed' | 'changed'
  /** JSON pointer into the later version; into the earlier one for what was removed. */
  readonly pointer: string
  /** The name of its field, if it is in one. */
  readonly field?: string
  readonly from?: unknown
  readonly to?: unknown
}

type Path = readonly (string | number)[]
type Json = Readonly<Record<string, unknown>>

/**
 * The differences, in the order of the later version. Fields are compared by name, in any order. A member that is left out
 * is the same as one with its default.
 */
export function compareVersions(from: Json | undefined, to: Json | undefined): readonly DefinitionChange[] {
  if (from === undefined || to === undefined) {
    return from === to ? [] : [changeOf([], undefined, from, to)]
  }
  return compare(from, to, [], undefined)
}

function compare(
  from: unknown,
  to: unknown,
  path: Path,
  field: string | undefined,
): readonly DefinitionChange[] {
  if (isDeepStrictEqual(from, to)) return []
  if (isObject(from) && isObject(to)) {
    const absent = absentValues(path)
    const isSame = (key: string) =>
      isDeepStrictEqual(
        ownMember(from, key) ?? ownMember(absent, key) ?? null,
        ownMember(to, key) ?? ownMember(absent, key) ?? null,
      )
    const keys = new Set([...Object.keys(to), ...Object.keys(from)])
    return [...keys]
      .filter((key) => !isSame(key))
      .flatMap((key) => compareMember(ownMember(from, key), ownMember(to, key), [...path, key], field))
  }
  if (isFieldList(from) && isFieldList(to)) return compareFields(from, to, path)
  return [changeOf(path, field, from, to)]
}

function compareMember(from: unknown, to: unknown, path: Path, field: string | undefined) {
  return from === undefined || to === undefined
    ? from === to
      ? []
      : [changeOf(path, field, from, to)]
    : compare(from, to, path, field)
}

interface Field extends Json {
  readonly field_name: string
}

function compareFields(
  from: readonly Field[],
  to: readonly Field[],
  path: Path,
): readonly DefinitionChange[] {
  const before = new Map(from.map((field) => [field.field_name, field]))
  const after = new Set(to.map(({ field_name }) => field_name))
  const kept = (fields: readonly Field[]) =>
    fields.map(({ field_name }) => field_name).filter((name) => before.has(name) && after.has(name))
  const order = isDeepStrictEqual(kept(from), kept(to))
    ? []
    : [changeOf(path, undefined, kept(from), kept(to))]
  return [
    ...to.flatMap((field, index) =>
      compareMember(before.get(field.field_name), field, [...path, index], field.field_name),
    ),
    ...from.flatMap((field, index) =>
      after.has(field.field_name) ? [] : [changeOf([...path, index], field.field_name, field, undefined)],
    ),
    ...order,
  ]
}

function changeOf(path: Path, field: string | undefined, from: unknown, to: unknown): DefinitionChange {
  return {
    kind: from === undefined ? 'added' : to === undefined ? 'removed' : 'changed',
    pointer: jsonPointer(path),
    ...(field !== undefined && { field }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

/** What was changed, in a few words each. */
export function summaryOf(changes: readonly DefinitionChange[]): readonly string[] {
  return changes.map(({ kind, pointer, field }) => {
    const [, , , , key] = pointer.split('/')
    if (pointer === '') return `entity ${kind}`
    if (field === undefined) return `${pointer.slice(1).replace('attributes/', '')} ${kind}`
    return key === undefined ? `field ${field} ${kind}` : `field ${field}: ${key} ${kind}`
  })
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFieldList(value: unknown): value is readonly Field[] {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item.field_name === 'string') &&
    new Set(value.map(({ field_name }) => field_name)).size === value.length
  )
}
