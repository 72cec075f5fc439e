import type { ForeignKey } from '../database/database-schema.ts'
import type { ColumnSpec, TableSpec } from '../database/table-spec.ts'
import { columnFields, type EntityDefinition, type EntityField } from './entity-definition.ts'
import { fieldTypes } from './field-types/index.ts'

/** The table that an entity wants; its references are expected to have been checked. */
export function tableSpecOf(definition: EntityDefinition): TableSpec {
  const fields = columnFields(definition)
  const references = fields.filter(({ reference }) => reference !== undefined)
  return {
    name: definition.name,
    columns: [...systemColumnSpecs, ...fields.map(columnSpecOf)],
    primaryKey: ['instance'],
    uniqueKeys: fields.filter(({ unique }) => unique).map(({ name }) => [name]),
    foreignKeys: references.flatMap(foreignKeyOf),
    // With the key behind it, the rows that refer to one row come in the default order.
    indexes: references.map(({ name }) => [name, 'instance']),
  }
}

const systemColumnSpecs: readonly ColumnSpec[] = [
  { name: 'instance', type: 'string', nullable: false },
  { name: 'xid', type: 'string', nullable: true },
  { name: 'xname', type: 'string', nullable: true },
]

/** The column of a field. */
export function columnSpecOf({ name, type, nullable }: EntityField): ColumnSpec {
  return { name, type: fieldTypes[type].column, nullable }
}

function foreignKeyOf({ name, reference }: EntityField): readonly ForeignKey[] {
  if (reference === undefined) return []
  return [{ columns: [name], referencedTable: reference.entity, referencedColumns: [reference.field] }]
}
