/**
 * Relay's global id: base64 of `<type name>:<primary key>`; a key of several columns is a JSON list.
 * https://relay.dev/graphql/objectidentification.htm
 */
import type { SqlValue } from '../database/driver.ts'

export interface GlobalId {
  /** For example `Port_`. */
  readonly typeName: string
  readonly key: readonly string[]
}

/** The id of a row: its type and the values of its key as rows hold them. */
export function encodeGlobalId(typeName: string, key: readonly SqlValue[]): string {
  const parts = key.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value),
  )
  const text = parts.length === 1 ? (parts[0] ?? '') : JSON.stringify(parts)
  return Buffer.from(`${typeName}:${text}`).toString('base64')
}

/** Undefined for anything that is not the id of a row whose key has `parts` columns. */
export function decodeGlobalId(id: unknown, parts: number): GlobalId | undefined {
  if (typeof id !== 'string' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(id)) return undefined
  const text = Buffer.from(id, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const typeName = text.slice(0, colon)
  const rest = text.slice(colon + 1)
  if (parts === 1) return { typeName, key: [rest] }
  const key = parseList(rest)
  return key?.length === parts ? { typeName, key } : undefined
}

function parseList(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}
