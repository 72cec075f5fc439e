/**
 * Tables that have all the columns of an entity's table, and were made by another program: in the types that fit it. Such
 * a table is taken as it is. What it lacks of keys it may get; no column and no row of it is changed.
 */
import type { Column, DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { systemColumns } from '../../record/record-rules.ts'
import { fieldTypesOver, takesField } from '../adopt/foreign-columns.ts'
import { columnFields, type EntityDefinition } from '../definition/entity-definition.ts'
import type { FieldTypeName } from '../definition/field-types/index.ts'
import { isUnique, referenceOf } from './drift.ts'
import type { TableAnalysis } from './table-analysis.ts'

/** Something in a table that keeps it from being taken. */
export interface Conflict {
  /** The column it is about; undefined for the whole table. */
  readonly column: string | undefined
  /** For people, in sentences. */
  readonly detail: string
}

/** Whether a table has the columns that every entity's table has. */
export function hasSystemColumns({ columns }: Pick<Table, 'columns'>): boolean {
  return systemColumns.every((name) => columns.has(name))
}

/** Columns that no field of a definition is about. */
export function unknownColumns(table: Table, definition: EntityDefinition): readonly Column[] {
  const known = new Set<string>([...systemColumns, ...columnFields(definition).map(({ name }) => name)])
  return [...table.columns.values()].filter(({ name }) => !known.has(name))
}

/** What in the columns of a table that another program made keeps a definition from taking it; empty where it can be taken. */
export async function conflictsOf(
  definition: EntityDefinition,
  { tables }: DatabaseSchema,
  ddl: Pick<Ddl, 'hasType'>,
  analysis: TableAnalysis,
): Promise<readonly Conflict[]> {
  const table = tables.get(definition.name)
  if (table === undefined) return []
  const conflicts: Conflict[] = [...conflictsOfRows(table)]
  for (const field of columnFields(definition)) {
    const column = table.columns.get(field.name)
    if (column === undefined) continue
    const add = (detail: string) => conflicts.push({ column: field.name, detail })
    if (!takesField(column, field.type, ddl)) {
      add(wrongType(column, field.type))
      continue
    }
    const strange = await strangeBooleans(column, field.type, definition.name, analysis)
    if (strange !== undefined) add(strange)
  }
  for (const { name, nullable, hasDefault } of unknownColumns(table, definition)) {
    if (nullable || hasDefault) continue
    const detail = `The definition does not have the column "${name}", which takes no null and has no default: no record could be created. Make it a field.`
    conflicts.push({ column: name, detail })
  }
  return conflicts
}

/** Keys that a table has and a definition does not; the table would not keep them for long. */
export function unsaidKeys(table: Table, definition: EntityDefinition): readonly Conflict[] {
  return columnFields(definition).flatMap(({ name, unique, reference }) => {
    const conflicts: Conflict[] = []
    if (isUnique(table, name) && !unique) {
      const detail = `The column "${name}" is unique there. Say so by field_unique, or drop the key.`
      conflicts.push({ column: name, detail })
    }
    const found = referenceOf(table, name)
    const [column] = found?.referencedColumns ?? []
    if (found !== undefined && (found.referencedTable !== reference?.entity || column !== reference?.field)) {
      const detail = `The column "${name}" refers to ${found.referencedTable}.${column} there. Make the field such a reference, or drop the foreign key.`
      conflicts.push({ column: name, detail })
    }
    return conflicts
  })
}

/** A row needs the key and the places for what is noted of every write. */
function conflictsOfRows({ columns, primaryKey }: Table): readonly Conflict[] {
  const isKeyed = primaryKey.length === 1 && primaryKey[0] === 'instance'
  const key = 'The primary key of the table is not "instance".'
  return [
    ...(isKeyed ? [] : [{ column: undefined, detail: key }]),
    ...systemColumns.flatMap((name) => {
      const column = columns.get(name)
      if (column === undefined || (takesText(column) && lengthOf(column) >= shortest)) return []
      const detail = `The column "${name}" is of type ${column.nativeType} there, and has to take a text of ${shortest} characters.`
      return [{ column: name, detail }]
    }),
  ]
}

/** As long as an identifier that is made for a row. */
const shortest = 36

function takesText(column: Column): boolean {
  return fieldTypesOver(column).includes('string') && column.type !== 'time'
}

/** How many characters a column takes, as far as its type says so. */
function lengthOf({ nativeType }: Column): number {
  return Number(/char\w*\((\d+)\)/i.exec(nativeType)?.[1] ?? Number.POSITIVE_INFINITY)
}

function wrongType(column: Column, type: FieldTypeName): string {
  const types = fieldTypesOver(column).filter((name) => takesField(column, name))
  const able = types.length === 0 ? 'no field' : types.join(' or ')
  return `The column "${column.name}" of type ${column.nativeType} takes ${able}, and not ${type}.`
}

/** A column of booleans and one of numbers are alike; only the rows tell. */
export async function strangeBooleans(
  { name, type }: Column,
  fieldType: FieldTypeName,
  table: string,
  analysis: TableAnalysis,
): Promise<string | undefined> {
  if (fieldType !== 'boolean' || type === 'boolean') return undefined
  const rows = await analysis.otherThan(table, name, [0, 1])
  if (rows === 0) return undefined
  return `The column "${name}" would be a boolean, and ${rows === 1 ? 'a row holds' : `${rows} rows hold`} something else than 0 and 1.`
}
