/**
 * What the gateway serves, derived from one look at the database and replaced whole after a change: the
 * GraphQL snapshot and the published APIs always belong to the same tables.
 */
import type { Database } from '../database/dialect.ts'
import { type SchemaSnapshot, snapshotOf } from '../graphql/snapshot.ts'

export interface ServedSchema {
  readonly snapshot: SchemaSnapshot
}

export async function readServedSchema({ dialect, driver }: Database): Promise<ServedSchema> {
  return driver.read(async (connection) => ({
    snapshot: snapshotOf(await dialect.introspect(connection), dialect),
  }))
}
