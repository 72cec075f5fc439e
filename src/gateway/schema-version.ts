import { createHash } from 'node:crypto'
import type { SchemaSnapshot } from '../graphql/snapshot.ts'
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

/** The header in which every answer to a request that was let in has the version, as it is when the answer is sent. */
export function schemaVersionHeader({ text }: SchemaVersion): Readonly<Record<string, string>> {
  return { 'x-gatehouse-schema': text }
}

/**
 * The version of what is served: the tables, the names that GraphQL has for them, and the definitions of the published APIs.
 * Yields where other work may have its turn.
 */
export function* schemaVersionOf(
  number: number,
  { databaseSchema, model }: Pick<SchemaSnapshot, 'databaseSchema' | 'model'>,
  definitions: readonly StoredEntity[],
): Generator<void, SchemaVersion, void> {
  const digest = createHash('sha256')
  // The text of the GraphQL schema would tell the same, and takes several times as long to make.
  const add = (value: unknown) => digest.update(`${JSON.stringify(value)}\n`)
  for (const { columns, ...table } of databaseSchema.tables.values()) {
    add([table, [...columns.values()]])
    yield
  }
  for (const { name, fields } of model.entities.values()) {
    add([name, [...fields.keys()]])
    yield
  }
  for (const { resource, definition } of definitions) {
    add([resource, definition])
    yield
  }
  const hash = digest.digest('hex').slice(0, 16)
  return { number, hash, text: `${number}-${hash}` }
}
