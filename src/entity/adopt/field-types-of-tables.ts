import type { Column, DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import { columnFields, type EntityDefinition } from '../definition/entity-definition.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'

/**
 * Corrects the types of tables by their definitions: a boolean is a small number, even if another program made its column
 * with a larger type.
 */
export async function withFieldTypes(
  schema: DatabaseSchema,
  definitions: readonly StoredEntity[],
): Promise<DatabaseSchema> {
  const tables = new Map(schema.tables)
  const holdsGreater = ({ name }: StoredEntity) =>
    [...(tables.get(name)?.columns.values() ?? [])].some(({ type }) => type === 'bigint')
  for (const { definition } of await readStoredEntities(definitions.filter(holdsGreater))) {
    const table = tables.get(definition.name)
    if (table !== undefined && definition.adopted === undefined) {
      tables.set(definition.name, withSmallBooleans(table, definition))
    }
  }
  return { ...schema, tables }
}

function withSmallBooleans(table: Table, definition: EntityDefinition): Table {
  const found = columnFields(definition).flatMap(({ name, type }): readonly Column[] => {
    const column = table.columns.get(name)
    return type === 'boolean' && column?.type === 'bigint' ? [column] : []
  })
  if (found.length === 0) return table
  const columns = new Map(table.columns)
  for (const column of found) columns.set(column.name, { ...column, type: 'integer' })
  return { ...table, columns }
}
