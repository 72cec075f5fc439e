import { createHash } from 'node:crypto'
import type { StoredEntity } from '../store/entity-store.ts'

/** Which schema a node serves; the same on all nodes that serve the same. */
export interface SchemaVersion {
  /** How often definitions were changed: it only grows. */
  readonly number: number
  /** Another text whenever another schema is served, also where somebody else changed a table. */
  readonly hash: string
  /** Both, as clients compare them. */
  readonly text: string
}

/** The header in which every answer has the version, as it is when the answer is sent. */
export function schemaVersionHeader({ text }: SchemaVersion): Readonly<Record<string, string>> {
  return { 'x-gatehouse-schema': text }
}

/** The version of what is served: the GraphQL schema and the definitions of the published APIs. */
export function schemaVersionOf(
  number: number,
  sdl: string,
  definitions: readonly StoredEntity[],
): SchemaVersion {
  const digest = createHash('sha256').update(sdl)
  for (const { resource, definition } of definitions) digest.update(JSON.stringify([resource, definition]))
  const hash = digest.digest('hex').slice(0, 16)
  return { number, hash, text: `${number}-${hash}` }
}
