import { createHash } from 'node:crypto'
import type { StoredEntity } from '../store/entity-store.ts'

/** Which schema a node serves; the same on all nodes that serve the same. */
export interface SchemaVersion {
  /** How often definitions were changed: it only grows. */
  readonly number: number
  /** Another text whenever another schema is served, also where somebody else changed a table. */
  readonly hash: string
}

/** The version of what is served: the GraphQL schema and the definitions of the published APIs. */
export function schemaVersionOf(
  number: number,
  sdl: string,
  definitions: readonly StoredEntity[],
): SchemaVersion {
  const hash = createHash('sha256').update(sdl)
  for (const { resource, definition } of definitions) hash.update(JSON.stringify([resource, definition]))
  return { number, hash: hash.digest('hex').slice(0, 16) }
}

/** A version as one text, which clients compare. */
export function schemaVersionText({ number, hash }: SchemaVersion): string {
  return `${number}-${hash}`
}
