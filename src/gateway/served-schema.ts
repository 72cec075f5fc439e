/**
 * What the gateway serves, derived from one reading of the database and replaced as a whole after a change: the GraphQL
 * snapshot and the published APIs always belong to the same tables.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../database/database-error.ts'
import type { DatabaseSchema } from '../database/database-schema.ts'
import type { Database, Ddl } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import { tableKeyOf } from '../database/table-names.ts'
import { withSortOrder } from '../database/table-order.ts'
import { withViewKeys } from '../database/view-keys.ts'
import { withFieldTypes } from '../entity/adopt/field-types-of-tables.ts'
import { type EntityDefinition, hasTable, isPublished } from '../entity/definition/entity-definition.ts'
import { readStoredEntities } from '../entity/definition/stored-definition.ts'
import { isMadeByOthers } from '../entity/plan/table-spec-of.ts'
import { publishedEntities } from '../entity/publish/published-entities.ts'
import { currentDefinitions } from '../entity/upload/current-definitions.ts'
import { tableMeantBy } from '../entity/upload/entity-tables.ts'
import type { KnownNames } from '../graphql/model/build-model.ts'
import type { GraphqlModel } from '../graphql/model/model.ts'
import type { LongerName } from '../graphql/model/name-tables.ts'
import type { FieldNaming } from '../graphql/model/naming.ts'
import { type SchemaSettings, type SchemaSnapshot, snapshotOf } from '../graphql/snapshot.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import type { StoredEntity } from '../store/entity-store.ts'
import type { KeptNames } from '../store/given-name-store.ts'
import type { GivenNames } from '../store/given-names.ts'
import type { Store } from '../store/store.ts'
import { inSlices } from '../util/time-slices.ts'
import { graphqlNamesOf } from './graphql-names.ts'
import { type SchemaVersion, schemaVersionOf } from './schema-version.ts'

export interface ServedSchema {
  readonly snapshot: SchemaSnapshot
  /** By resource, the segment below `/apis/`. */
  readonly published: ReadonlyMap<string, PublishedEntity>
  readonly version: SchemaVersion
  /** How many entities are stored. */
  readonly entityCount: number
  /** The entities with a table, by `tableKeyOf` of it. */
  readonly entitiesByTable: ReadonlyMap<string, TableEntity>
}

/** The entity of a table. */
interface TableEntity {
  readonly name: string
  /** The segment below `/apis/`; undefined if it is not published. */
  readonly resource: string | undefined
  readonly isAdopted: boolean
}

type SchemaRecords = Pick<
  Store,
  'entities' | 'entityVersions' | 'uploads' | 'givenNames' | 'changes' | 'read' | 'transaction' | 'isSeparate'
>

/** What was read, and which tables got their names in this reading. */
export interface SchemaReading {
  readonly served: ServedSchema
  readonly longerNames: readonly LongerName[]
}

/** The names of a reading, and the earlier ones. */
export interface SchemaNames {
  readonly model: GraphqlModel
  readonly kept: GivenNames | undefined
}

/**
 * Reads the tables, and stores their names and those of their fields permanently. Of several nodes that see a new table
 * one names it, and the others read again. `checkNames` throws if names must not be stored.
 */
export async function readServedSchema(
  database: Database,
  store: SchemaRecords,
  settings: SchemaSettings,
  checkNames: (names: SchemaNames) => Promise<void> = async () => undefined,
): Promise<SchemaReading> {
  const { kept, ...known } = await store.read((connection) => readNames(connection, store, settings.naming))
  const served = await readUnchanged(database, store, { settings, known })
  const { names, longerNames } = served.snapshot.model
  if (JSON.stringify(names) === JSON.stringify(kept?.names)) return { served, longerNames: [] }
  await checkNames({ model: served.snapshot.model, kept: kept?.names })
  if (await keepNames(store, kept, names)) return { served, longerNames }
  return readServedSchema(database, store, settings, checkNames)
}

/** The stored names. */
export async function readNames(
  connection: Connection,
  { givenNames }: Pick<Store, 'givenNames'>,
  naming: FieldNaming,
): Promise<KnownNames & { readonly kept: KeptNames | undefined }> {
  const kept = await givenNames.read(connection)
  const given = kept?.names
  if (given?.relations[naming] !== undefined) return { kept, given }
  const former = await givenNames.readFormer(connection, naming)
  return { kept, ...(given && { given }), ...(former && { former }) }
}

/** Whether they were stored; false if another node has stored some in the meantime. */
async function keepNames(
  store: SchemaRecords,
  before: KeptNames | undefined,
  names: GivenNames,
): Promise<boolean> {
  try {
    return await store.transaction((connection) => store.givenNames.replace(connection, before, names))
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'uniqueViolation') return false
    throw error
  }
}

/** What determines the schema besides the tables. */
interface SchemaInput {
  readonly settings: SchemaSettings
  readonly known: KnownNames
}

/** How long to wait for tables that are being changed, and how often to check them. */
const timeoutMs = 10_000
const pauseMs = 20

/** If DDL is not transactional, definitions and tables are read at two times: nothing may change in between. */
async function readUnchanged(
  database: Database,
  store: SchemaRecords,
  input: SchemaInput,
): Promise<ServedSchema> {
  if (database.dialect.ddl.transactional) return (await readTogether(database, store, input)).served
  const version = () => store.read(async (records) => (await store.changes.versions(records)).schema)
  const end = performance.now() + timeoutMs
  let last: string | undefined
  for (;;) {
    const before = await version()
    const { served, isSettled, isChanging } = await readTogether(database, store, input)
    // While a table changes, it or its key may be briefly absent from the catalogue: two readings must agree.
    const isSure = isSettled && (!isChanging || served.version.hash === last)
    if ((isSure && (await version()) === before) || performance.now() > end) return served
    last = served.version.hash
    await wait(pauseMs)
  }
}

async function readTogether(
  { dialect, driver }: Database,
  store: SchemaRecords,
  { settings, known }: SchemaInput,
): Promise<{
  readonly served: ServedSchema
  readonly isSettled: boolean
  /** Whether an upload is running. */
  readonly isChanging: boolean
}> {
  const { stored, changes, upload, found } = await driver.read(
    async (connection) => ({
      ...(store.isSeparate
        ? await store.read((records) => readDefinitions(records, store))
        : await readDefinitions(connection, store)),
      found: await dialect.introspect(connection),
    }),
    { workload: 'records' },
  )
  // Without a connection: for thousands of tables this takes a while.
  const { definitions, isSettled } = await currentDefinitions(stored, upload, found, dialect.ddl)
  const keyed = withViewKeys(await withFieldTypes(found, definitions), settings.viewKeys ?? [])
  const tables = withSortOrder(
    keyed,
    await ownTables(definitions, found, dialect.ddl),
    settings.sortOrder ?? 'native',
  )
  const snapshot = await snapshotOf(tables, dialect, settings, known)
  const published = await publishedEntities(definitions, tables, graphqlNamesOf(snapshot.model), dialect.ddl)
  const entitiesByTable = await tableEntities(definitions, found)
  const version = await inSlices(schemaVersionOf(changes, snapshot, definitions))
  return {
    served: { snapshot, published, version, entityCount: definitions.length, entitiesByTable },
    isSettled,
    isChanging: upload !== undefined,
  }
}

async function tableEntities(
  stored: readonly StoredEntity[],
  found: DatabaseSchema,
): Promise<ReadonlyMap<string, TableEntity>> {
  const entities = await readStoredEntities(stored)
  return new Map(
    entities
      .filter(({ definition }) => hasTable(definition))
      .map(({ entity, definition }) => [
        tableKeyOf(tableMeantBy(definition, found)),
        {
          name: entity.name,
          resource: isPublished(definition) ? entity.resource : undefined,
          isAdopted: definition.adopted !== undefined,
        },
      ]),
  )
}

/** The ids of tables that uploads made: they are in the first schema. */
async function ownTables(
  stored: readonly StoredEntity[],
  { tables }: DatabaseSchema,
  ddl: Ddl,
): Promise<ReadonlySet<string>> {
  const entities = await readStoredEntities(stored)
  const isOwn = (definition: EntityDefinition) => {
    const table = tables.get(definition.name)
    const isMade = hasTable(definition) && definition.adopted === undefined
    return isMade && table !== undefined && !isMadeByOthers(table, ddl)
  }
  return new Set(entities.flatMap(({ definition }) => (isOwn(definition) ? [definition.name] : [])))
}

async function readDefinitions(connection: Connection, { entities, entityVersions, uploads }: SchemaRecords) {
  return {
    stored: await entities.list(connection),
    changes: await entityVersions.count(connection),
    upload: await uploads.unfinished(connection),
  }
}
