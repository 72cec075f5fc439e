/**
 * What the gateway serves, derived from one look at the database and replaced whole after a change: the
 * GraphQL snapshot and the published APIs always belong to the same tables.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../database/database-error.ts'
import type { Database } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { currentDefinitions } from '../entity/current-definitions.ts'
import { publishedEntities } from '../entity/published-entities.ts'
import { givenNamesText, parseGivenNames } from '../graphql/model/given-names.ts'
import { type SchemaSettings, type SchemaSnapshot, snapshotOf } from '../graphql/snapshot.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import type { Store } from '../store/store.ts'
import { type SchemaVersion, schemaVersionOf } from './schema-version.ts'

export interface ServedSchema {
  readonly snapshot: SchemaSnapshot
  /** By resource, the segment below `/apis/`. */
  readonly published: ReadonlyMap<string, PublishedEntity>
  readonly version: SchemaVersion
}

type SchemaRecords = Pick<
  Store,
  | 'entities'
  | 'entityVersions'
  | 'uploads'
  | 'relationNames'
  | 'changes'
  | 'read'
  | 'transaction'
  | 'isSeparate'
>

/** Reads the tables, and keeps the names that their relations get, for the readings to come. */
export async function readServedSchema(
  database: Database,
  store: SchemaRecords,
  settings: SchemaSettings,
): Promise<ServedSchema> {
  const names = await store.read((connection) => store.relationNames.read(connection, settings.naming))
  const served = await readUnchanged(database, store, { ...settings, given: parseGivenNames(names) })
  const given = givenNamesText(served.snapshot.model.relationNames)
  if (given === names || (await keepNames(store, settings.naming, names, given))) return served
  return readServedSchema(database, store, settings)
}

/** Whether they are kept; they are not where another node has kept some in the meantime. */
async function keepNames(
  store: SchemaRecords,
  naming: string,
  before: string | undefined,
  names: string,
): Promise<boolean> {
  try {
    return await store.transaction((connection) =>
      store.relationNames.replace(connection, naming, before, names),
    )
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'uniqueViolation') return false
    throw error
  }
}

/** How long tables that are being changed are waited for, and how often they are looked at meanwhile. */
const patienceMs = 10_000
const pauseMs = 20

/** Where tables change outside of transactions, definitions and tables are read at two moments: nothing may be between them. */
async function readUnchanged(
  database: Database,
  store: SchemaRecords,
  settings: SchemaSettings,
): Promise<ServedSchema> {
  if (database.dialect.ddl.transactional) return (await readTogether(database, store, settings)).served
  const version = () => store.read(async (records) => (await store.changes.versions(records)).schema)
  const end = performance.now() + patienceMs
  let last: string | undefined
  for (;;) {
    const before = await version()
    const { served, isSettled, isChanging } = await readTogether(database, store, settings)
    // For a moment a table that is changed, or a key of it, is in no catalogue: only what is there twice is there.
    const isSure = isSettled && (!isChanging || served.version.hash === last)
    if ((isSure && (await version()) === before) || performance.now() > end) return served
    last = served.version.hash
    await wait(pauseMs)
  }
}

function readTogether(
  { dialect, driver }: Database,
  store: SchemaRecords,
  settings: SchemaSettings,
): Promise<{
  readonly served: ServedSchema
  readonly isSettled: boolean
  /** Whether an upload is under way. */
  readonly isChanging: boolean
}> {
  return driver.read(
    async (connection) => {
      const { stored, changes, upload } = store.isSeparate
        ? await store.read((records) => readDefinitions(records, store))
        : await readDefinitions(connection, store)
      const tables = await dialect.introspect(connection)
      const { definitions, isSettled } = currentDefinitions(stored, upload, tables, dialect.ddl)
      const snapshot = snapshotOf(tables, dialect, settings)
      const published = publishedEntities(definitions, tables)
      const version = schemaVersionOf(changes, snapshot, definitions)
      return {
        served: { snapshot, published, version },
        isSettled,
        isChanging: upload !== undefined,
      }
    },
    { lane: 'records' },
  )
}

async function readDefinitions(connection: Connection, { entities, entityVersions, uploads }: SchemaRecords) {
  return {
    stored: await entities.list(connection),
    changes: await entityVersions.count(connection),
    upload: await uploads.unfinished(connection),
  }
}
