/** Tables of other schemas than the first, which entities refer to by their own names. */
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { type TableNames, tableKeyOf } from '../../database/table-names.ts'
import type { EntityDefinition } from '../definition/entity-definition.ts'

/** An entity by its name, and the table in another schema that it adopted. */
export interface AdoptedElsewhere {
  readonly name: string
  readonly adopted: { readonly schema?: string | undefined; readonly table?: string | undefined } | undefined
}

/** The tables by entity names: a table that an entity adopted in another schema gets the entity's name. */
export function tablesOfEntities(
  found: DatabaseSchema,
  entities: Iterable<AdoptedElsewhere>,
): DatabaseSchema {
  const names = new Map<string, string>()
  for (const { name, adopted } of entities) {
    if (adopted?.schema === undefined) continue
    const table = tableIn(found, adopted.schema, adopted.table ?? name)
    if (table !== undefined && table.id !== name) names.set(table.id, name)
  }
  if (names.size === 0) return found
  const nameOf = (id: string) => names.get(id) ?? id
  const tables = new Map([...found.tables].filter(([id]) => !names.has(id)))
  for (const [id, name] of names) {
    const table = found.tables.get(id)
    if (table !== undefined) tables.set(name, { ...table, id: name })
  }
  const referring = [...tables].map(([id, table]): readonly [string, Table] => {
    const foreignKeys = table.foreignKeys.map((key) => ({
      ...key,
      referencedTable: nameOf(key.referencedTable),
    }))
    return [id, { ...table, foreignKeys }]
  })
  return { ...found, tables: new Map(referring) }
}

/** A table by its schema and name. */
function tableIn({ tables }: DatabaseSchema, schema: string, name: string): Table | undefined {
  return [...tables.values()].find((table) => table.schema === schema && table.name === name)
}

/**
 * The entity for a table that is named with its schema, `sales.orders`: it has the table's GraphQL name. Undefined if
 * there is no such table, or it is in the first schema.
 */
export function elsewhereNamed(
  text: string,
  found: DatabaseSchema,
  given: TableNames,
): AdoptedElsewhere | undefined {
  const dot = text.indexOf('.')
  const table = dot < 0 ? undefined : tableIn(found, text.slice(0, dot), text.slice(dot + 1))
  if (table?.schema === undefined || table.schema === found.schemas?.[0]) return undefined
  const long = `${table.schema}_${table.name}`
  const name = given[tableKeyOf(table)] ?? (found.tables.has(table.name) ? long : table.name)
  return { name, adopted: { schema: table.schema, table: table.name } }
}

/** The schema and name of a definition's table. */
export function tableMeantBy(
  { name, adopted }: Pick<EntityDefinition, 'name' | 'adopted'>,
  { schemas = [] }: DatabaseSchema,
): Pick<Table, 'schema' | 'name'> {
  const schema = adopted?.schema ?? schemas[0]
  return {
    name: adopted?.schema === undefined ? name : (adopted.table ?? name),
    ...(schema !== undefined && { schema }),
  }
}
