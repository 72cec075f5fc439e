/**
 * Tables of other programs with all system columns, and types that fit the definition. Such a table is taken over as it
 * is. Missing keys may be added; no column and no row is changed.
 */
import type { Column, DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { systemColumns } from '../../record/record-rules.ts'
import { fieldTypesOver, takesField } from '../adopt/foreign-columns.ts'
import { columnFields, type EntityDefinition } from '../definition/entity-definition.ts'
import type { FieldTypeName } from '../definition/field-types/index.ts'
import { isUnique, referenceOf } from './drift.ts'
import type { TableAnalysis } from './table-analysis.ts'

/** A reason why a table cannot be taken over. */
export interface Conflict {
  /** The column concerned; undefined for the whole table. */
  readonly column: string | undefined
  /** For people, in sentences. */
  readonly detail: string
}

/** Whether a table has all system columns. */
export function hasSystemColumns({ columns }: Pick<Table, 'columns'>): boolean {
  return systemColumns.every((name) => columns.has(name))
}

/** Columns without a field in a definition. */
export function unknownColumns(table: Table, definition: EntityDefinition): readonly Column[] {
  const known = new Set<string>([...systemColumns, ...columnFields(definition).map(({ name }) => name)])
  return [...table.columns.values()].filter(({ name }) => !known.has(name))
}

/** Why a definition cannot take over a table of another program, because of its columns; empty if it can. */
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
    const detail = `The definition does not have the column "${name}", which is not nullable and has no default, so no record could be created. Add it as a field.`
    conflicts.push({ column: name, detail })
  }
  return conflicts
}

/** Keys that a table has and a definition lacks; later uploads would drop them. */
export function unsaidKeys(table: Table, definition: EntityDefinition): readonly Conflict[] {
  return columnFields(definition).flatMap(({ name, unique, reference }) => {
    const conflicts: Conflict[] = []
    if (isUnique(table, name) && !unique) {
      const detail = `The column "${name}" is unique in the database. Set field_unique, or drop the key.`
      conflicts.push({ column: name, detail })
    }
    const found = referenceOf(table, name)
    const [column] = found?.referencedColumns ?? []
    if (found !== undefined && (found.referencedTable !== reference?.entity || column !== reference?.field)) {
      const detail = `The column "${name}" refers to ${found.referencedTable}.${column} in the database. Make the field such a reference, or drop the foreign key.`
      conflicts.push({ column: name, detail })
    }
    return conflicts
  })
}

/** A row needs the key and the columns for the data of every write. */
function conflictsOfRows({ columns, primaryKey }: Table): readonly Conflict[] {
  const isKeyed = primaryKey.length === 1 && primaryKey[0] === 'instance'
  const key = 'The primary key of the table is not "instance".'
  return [
    ...(isKeyed ? [] : [{ column: undefined, detail: key }]),
    ...systemColumns.flatMap((name) => {
      const column = columns.get(name)
      if (column === undefined || (takesText(column) && lengthOf(column) >= shortest)) return []
      const detail = `The column "${name}" has the type ${column.nativeType} in the database, and must be able to store ${shortest} characters.`
      return [{ column: name, detail }]
    }),
  ]
}

/** The length of a generated identifier. */
const shortest = 36

function takesText(column: Column): boolean {
  return fieldTypesOver(column).includes('string') && column.type !== 'time'
}

/** How many characters a column can hold, if its type says so. */
function lengthOf({ nativeType }: Column): number {
  return Number(/char\w*\((\d+)\)/i.exec(nativeType)?.[1] ?? Number.POSITIVE_INFINITY)
}

function wrongType(column: Column, type: FieldTypeName): string {
  const types = fieldTypesOver(column).filter((name) => takesField(column, name))
  const able = types.length === 0 ? 'no field' : types.join(' or ')
  return `The column "${column.name}" of type ${column.nativeType} takes ${able}, and not ${type}.`
}

/** Columns of booleans and of numbers look alike; only the rows tell. */
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
