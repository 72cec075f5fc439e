import { createHash } from 'node:crypto'
import type { SchemaSnapshot } from '../graphql/snapshot.ts'
import type { StoredEntity } from '../store/entity-store.ts'

/** The version of the served schema; equal on all nodes that serve the same. */
export interface SchemaVersion {
  /** The number of changes of definitions, which only grows. */
  readonly number: number
  /** Differs whenever the served schema differs, also if another program changed a table. */
  readonly hash: string
  /** Both, for comparison by clients. */
  readonly text: string
}

/** The header with the version in every response to an authorized request. */
export function schemaVersionHeader({ text }: SchemaVersion): Readonly<Record<string, string>> {
  return { 'x-gatehouse-schema': text }
}

/**
 * The version of what is served: the tables, their GraphQL names, and the definitions of the published APIs. Yields to
 * other work.
 */
export function* schemaVersionOf(
  number: number,
  { databaseSchema, model }: Pick<SchemaSnapshot, 'databaseSchema' | 'model'>,
  definitions: readonly StoredEntity[],
): Generator<void, SchemaVersion, void> {
  const digest = createHash('sha256')
  // A hash of the GraphQL schema's text would do too, but takes several times as long.
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
