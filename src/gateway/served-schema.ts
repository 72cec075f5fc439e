/**
 * What the gateway serves, derived from one look at the database and replaced whole after a change: the
 * GraphQL snapshot and the published APIs always belong to the same tables.
 */
import type { Database } from '../database/dialect.ts'
import { publishedEntities } from '../entity/published-entities.ts'
import { type SchemaSettings, type SchemaSnapshot, snapshotOf } from '../graphql/snapshot.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import type { Store } from '../store/store.ts'

export interface ServedSchema {
  readonly snapshot: SchemaSnapshot
  /** By resource, the segment below `/apis/`. */
  readonly published: ReadonlyMap<string, PublishedEntity>
}

export async function readServedSchema(
  { dialect, driver }: Database,
  store: Pick<Store, 'entities' | 'read' | 'isSeparate'>,
  settings: SchemaSettings,
): Promise<ServedSchema> {
  const elsewhere = store.isSeparate
    ? await store.read((connection) => store.entities.list(connection))
    : undefined
  return driver.read(
    async (connection) => {
      const stored = elsewhere ?? (await store.entities.list(connection))
      const tables = await dialect.introspect(connection)
      return { snapshot: snapshotOf(tables, dialect, settings), published: publishedEntities(stored, tables) }
    },
    { lane: 'records' },
  )
}
