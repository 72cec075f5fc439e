import { isDeepStrictEqual } from 'node:util'
import type { AuditChanges } from '../../store/audit-store.ts'

/** A record as clients see it; undefined if there is none. */
type ShownRecord = object | undefined

/** The store keeps no more bytes of the changes of an entry; a column of MySQL takes 65,535. */
const keptBytes = 32_000

/**
 * The members of a record that a change sets, replaces or removes. The values of `unkept` members are left out, and all
 * values if they are longer than the audit keeps.
 */
export function changesBetween(
  before: ShownRecord,
  after: ShownRecord,
  unkept: readonly string[] = [],
): AuditChanges {
  const old = membersOf(before)
  const current = membersOf(after)
  const names = [...new Set([...old.keys(), ...current.keys()])].filter(
    (name) => !isDeepStrictEqual(old.get(name), current.get(name)),
  )
  const changes = Object.fromEntries(
    names.map((name) => [name, unkept.includes(name) ? {} : valuesOf(old.get(name), current.get(name))]),
  )
  if (Buffer.byteLength(JSON.stringify(changes)) <= keptBytes) return changes
  return Object.fromEntries(names.map((name) => [name, {}]))
}

function membersOf(record: ShownRecord): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(record ?? {}).filter(([, value]) => value !== undefined))
}

function valuesOf(before: unknown, after: unknown): AuditChanges[string] {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
}
