import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import type { FilterableId } from '../../query/filterable.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { columnFields, type EntityDefinition, isPublished } from '../definition/entity-definition.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import { tablesOfEntities } from '../upload/entity-tables.ts'
import { writeRulesOf } from './record-rules-of.ts'

/** What GraphQL makes of the tables. */
export interface GraphqlNames {
  /** The table that has a name there. */
  readonly tableNamed: (name: string) => Table | undefined
  /** How the rows of a table are named across all tables. */
  readonly globalIdOf: (table: Table) => FilterableId | undefined
}

/**
 * The entities with a published API, by resource. One whose table, or its key, is missing in the database is omitted:
 * there is nothing to serve. If the table that has its name in GraphQL is one of the same name in
 * another schema, the order of the schemas has changed, and the entity is omitted too: its rights were given for the
 * other table.
 */
export async function publishedEntities(
  stored: readonly StoredEntity[],
  schema: DatabaseSchema,
  { tableNamed, globalIdOf }: GraphqlNames,
  ddl: Pick<Ddl, 'hasType'>,
): Promise<ReadonlyMap<string, PublishedEntity>> {
  const known = await readStoredEntities(stored)
  const { tables } = tablesOfEntities(
    schema,
    known.map(({ definition }) => definition),
  )
  const tableOf = (name: string) => tables.get(name)
  const published = new Map<string, PublishedEntity>()
  const slices = new TimeSlices()
  for (const { definition, entity } of known) {
    if (slices.isOver) await slices.next()
    const table = tableOf(definition.name)
    if (table === undefined || !isPublished(definition)) continue
    const named = tableNamed(definition.name)
    const isNamesake = named?.name === table.name || definition.adopted?.schema !== undefined
    if (named !== undefined && isNamesake && tableKeyOf(named) !== tableKeyOf(table)) continue
    if (!definition.key.every((field) => table.columns.has(field))) continue
    const { name, resource } = entity
    const rules = writeRulesOf(definition, { tableOf, tables: schema.tables }, ddl)
    published.set(resource, {
      name,
      resource,
      table: withOwnTypes(table, definition),
      rules,
      globalId: globalIdOf(table),
      rights: undefined,
    })
  }
  return published
}

/** A field of a definition accepts the same values on every database, whatever else its column could hold. */
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
