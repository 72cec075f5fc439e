import type { Column, ForeignKey, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import type { ColumnSpec, TableSpec } from '../../database/table-spec.ts'
import { takesField } from '../adopt/foreign-columns.ts'
import { columnFields, type EntityDefinition, type EntityField } from '../definition/entity-definition.ts'
import { type FieldTypeName, fieldTypes } from '../definition/field-types/index.ts'

/** The table that an entity wants, if it is not adopted; its references must have been checked. */
export function tableSpecOf(definition: EntityDefinition): TableSpec {
  const fields = columnFields(definition)
  const references = fields.filter(({ reference }) => reference !== undefined)
  return {
    name: definition.name,
    columns: [...systemColumnSpecs, ...fields.map(columnSpecOf)],
    primaryKey: ['instance'],
    uniqueKeys: fields.filter(({ unique }) => unique).map(({ name }) => [name]),
    foreignKeys: references.flatMap(foreignKeyOf),
    indexes: references.map(({ name }) => referenceIndex(definition, name)),
  }
}

const systemColumnSpecs: readonly ColumnSpec[] = [
  { name: 'instance', type: 'string', nullable: false },
  { name: 'xid', type: 'string', nullable: true },
  { name: 'xname', type: 'string', nullable: true },
]

/** A column that the table of an entity is to have. */
export interface WantedColumn {
  readonly spec: ColumnSpec
  /** Its database type, if it existed before the definition. */
  readonly nativeType: string | undefined
  readonly fieldType: FieldTypeName
}

/** The columns that the table of an entity is to have, adopted or not. */
export function wantedColumns(definition: EntityDefinition): readonly WantedColumn[] {
  const own = definition.adopted === undefined ? systemColumnSpecs : []
  return [
    ...own.map((spec) => ({ spec, nativeType: undefined, fieldType: 'string' as const })),
    ...columnFields(definition).map((field) => ({
      spec: columnSpecOf(field),
      nativeType: field.column,
      fieldType: field.type,
    })),
  ]
}

/** Whether a column has the wanted type, or, if another program made it, one that holds the same values. */
export function hasWantedType(
  found: Column,
  { nativeType, fieldType }: WantedColumn,
  ddl: Pick<Ddl, 'hasType'>,
): boolean {
  return nativeType === undefined ? takesField(found, fieldType, ddl) : found.nativeType === nativeType
}

/** Whether a table in the shape of an entity was made by another program. */
export function isMadeByOthers({ columns }: Pick<Table, 'columns'>, ddl: Pick<Ddl, 'hasType'>): boolean {
  return systemColumnSpecs.some((spec) => {
    const found = columns.get(spec.name)
    return found !== undefined && !ddl.hasType(found, spec)
  })
}

/**
 * The index of a referring column: it ends with the key, so that the rows that refer to one row come in the default
 * order.
 */
export function referenceIndex({ adopted, key }: EntityDefinition, column: string): readonly string[] {
  return [column, ...(adopted === undefined ? ['instance'] : key)]
}

/** The column of a field. */
export function columnSpecOf({ name, type, nullable }: EntityField): ColumnSpec {
  return { name, type: fieldTypes[type].column, nullable }
}

function foreignKeyOf({ name, reference }: EntityField): readonly ForeignKey[] {
  if (reference === undefined) return []
  return [{ columns: [name], referencedTable: reference.entity, referencedColumns: [reference.field] }]
}
