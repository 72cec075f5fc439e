import type { DatabaseSchema, Table } from '../database/database-schema.ts'
import type { Ddl } from '../database/dialect.ts'
import type { PublishedEntity } from '../query/write-rules.ts'
import type { StoredEntity } from '../store/entity-store.ts'
import { TimeSlices } from '../util/time-slices.ts'
import { columnFields, type EntityDefinition, isPublished } from './entity-definition.ts'
import { readStoredEntities } from './stored-definition.ts'
import { writeRulesOf } from './write-rules-of.ts'

/**
 * The entities that have a published API, by their resource. One whose table, or its key, is not in the
 * database is left out: there is nothing to serve. `namedTable` is the table that has a name in GraphQL. Where that is
 * one of the same name in another schema, the schemas have changed places, and the entity is left out, too: its rights
 * were given for the other table.
 */
export async function publishedEntities(
  stored: readonly StoredEntity[],
  schema: DatabaseSchema,
  namedTable: (name: string) => Table | undefined,
  ddl: Pick<Ddl, 'hasType'>,
): Promise<ReadonlyMap<string, PublishedEntity>> {
  const tableOf = (name: string) => schema.tables.get(name)
  const published = new Map<string, PublishedEntity>()
  const slices = new TimeSlices()
  for (const { definition, entity } of await readStoredEntities(stored)) {
    if (slices.isOver) await slices.next()
    const table = tableOf(definition.name)
    if (table === undefined || !isPublished(definition)) continue
    const named = namedTable(definition.name)
    if (named?.name === table.name && named.id !== table.id) continue
    if (!definition.key.every((field) => table.columns.has(field))) continue
    const { name, resource } = entity
    const rules = writeRulesOf(definition, tableOf, ddl)
    published.set(resource, { name, resource, table: withOwnTypes(table, definition), rules })
  }
  return published
}

/** A field of a definition takes the same values on every product, whatever else its column could hold. */
function withOwnTypes(table: Table, definition: EntityDefinition): Table {
  const columns = new Map(table.columns)
  for (const field of columnFields(definition)) {
    const found = columns.get(field.name)
    if (found === undefined || field.column !== undefined) continue
    const { unbounded: _, ...bounded } = found
    columns.set(field.name, bounded)
  }
  return { ...table, columns }
}
