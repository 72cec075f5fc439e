import type { DatabaseSchema } from '../../database/database-schema.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import type { EntityParts } from '../entity-parts.ts'
import { tablesOfEntities } from '../upload/entity-tables.ts'
import { driftOf } from './drift.ts'

/** An entity whose table differs from its definition, with the differences in sentences. */
export interface DriftedEntity {
  readonly name: string
  readonly drift: readonly string[]
}

type DriftParts = Pick<EntityParts, 'database' | 'store'>

/** Compares all definitions with the tables, read now unless given; returns the entities that differ from theirs. */
export async function findDrift(
  { database, store }: DriftParts,
  found?: DatabaseSchema,
): Promise<readonly DriftedEntity[]> {
  const { dialect, driver } = database
  const stored = await store.read((connection) => store.entities.list(connection))
  if (stored.length === 0) return []
  const tables =
    found ?? (await driver.read((connection) => dialect.introspect(connection), { workload: 'records' }))
  const definitions = (await readStoredEntities(stored)).map(({ definition }) => definition)
  const schema = tablesOfEntities(tables, definitions)
  return definitions.flatMap((definition) => {
    const drift = driftOf(definition, schema, dialect.ddl).map(({ detail }) => detail)
    return drift.length === 0 ? [] : [{ name: definition.name, drift }]
  })
}

/** Reports every drift to the observer. */
export async function tellDrift(
  parts: DriftParts & Pick<EntityParts, 'observe'>,
  found: DatabaseSchema,
): Promise<void> {
  for (const { name, drift } of await findDrift(parts, found)) {
    for (const detail of drift) parts.observe({ kind: 'TableDrifted', entity: name, detail })
  }
}
