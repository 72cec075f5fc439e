/** Whether a table still matches its definition, or another program changed it. */
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import {
  columnFields,
  type EntityDefinition,
  type EntityField,
  hasTable,
} from '../definition/entity-definition.ts'
import { hasWantedType, isMadeByOthers, wantedColumns } from './table-spec-of.ts'

/** One difference between a table and what was expected. */
export interface Drift {
  readonly kind:
    | 'missingTable'
    | 'missingColumn'
    | 'extraColumn'
    | 'type'
    | 'nullable'
    | 'unique'
    | 'reference'
    | 'key'
  /** The column concerned; undefined for the whole table. */
  readonly column: string | undefined
  /** For people, in a sentence. */
  readonly detail: string
}

/** How a definition's table differs from the definition. */
export function driftOf(
  definition: EntityDefinition,
  { tables }: DatabaseSchema,
  ddl: Pick<Ddl, 'hasType'>,
): readonly Drift[] {
  if (!hasTable(definition)) return []
  const table = tables.get(definition.name)
  if (table === undefined) {
    const detail = `The table "${definition.name}" does not exist.`
    return [{ kind: 'missingTable', column: undefined, detail }]
  }
  const columns = wantedColumns(definition)
  const fields = new Map(columnFields(definition).map((field) => [field.name, field]))
  // In a table of another program, nullability of a column stays as it is; the definition's rule is for what the gateway
  // writes.
  const saysNull = definition.adopted !== undefined || !isMadeByOthers(table, ddl)
  const known = new Set([...columns.map(({ spec }) => spec.name), ...(definition.adopted?.leftOut ?? [])])
  return [
    ...driftOfKey(definition, table),
    ...columns.flatMap((wanted): readonly Drift[] => {
      const column = wanted.spec
      const found = table.columns.get(column.name)
      if (found === undefined) {
        return [
          {
            kind: 'missingColumn',
            column: column.name,
            detail: `The column "${column.name}" does not exist.`,
          },
        ]
      }
      const drifts: Drift[] = []
      if (!hasWantedType(found, wanted, ddl)) {
        const detail = `The column "${column.name}" has the type ${found.nativeType} in the database.`
        drifts.push({ kind: 'type', column: column.name, detail })
      }
      const field = fields.get(column.name)
      // The definition says no more about the key of an adopted table than the table itself.
      const isKey = field?.column !== undefined && definition.key.includes(field.name)
      if (saysNull && found.nullable !== column.nullable && !isKey) {
        const detail = `The column "${column.name}" is ${found.nullable ? '' : 'not '}nullable in the database.`
        drifts.push({ kind: 'nullable', column: column.name, detail })
      }
      return field === undefined ? drifts : [...drifts, ...driftOfKeys(field, table)]
    }),
    ...[...table.columns.keys()]
      .filter((name) => !known.has(name))
      .map((name): Drift => {
        const detail = `The table has a column "${name}" that the definition does not have.`
        return { kind: 'extraColumn', column: name, detail }
      }),
  ]
}

/** Whether rows of an adopted table can still be identified. */
function driftOfKey({ adopted, key }: EntityDefinition, table: Table): readonly Drift[] {
  if (adopted === undefined) return []
  const alike = key.find((name) => table.columns.get(name)?.shownAlike === true)
  if (alike !== undefined) {
    const detail = `The column "${alike}" of the key has different values that are shown alike.`
    return [{ kind: 'key', column: undefined, detail }]
  }
  const isThere = [table.primaryKey, ...table.uniqueKeys].some(
    (columns) => columns.length === key.length && columns.every((name) => key.includes(name)),
  )
  if (isThere) return []
  const detail = `Rows are not identified by ${key.map((name) => `"${name}"`).join(', ')} in the database.`
  return [{ kind: 'key', column: undefined, detail }]
}

function driftOfKeys(field: EntityField, table: Table): readonly Drift[] {
  const drifts: Drift[] = []
  if (isUnique(table, field.name) !== field.unique) {
    const detail = `The column "${field.name}" is ${field.unique ? 'not ' : ''}unique in the database.`
    drifts.push({ kind: 'unique', column: field.name, detail })
  }
  const found = referenceOf(table, field.name)
  const { reference } = field
  // An adopted table may refer to tables that are not entities.
  if (field.column !== undefined && reference === undefined) return drifts
  if (found?.referencedTable !== reference?.entity || found?.referencedColumns[0] !== reference?.field) {
    const detail =
      found === undefined
        ? `The column "${field.name}" has no foreign key in the database.`
        : `The column "${field.name}" refers to ${found.referencedTable}.${found.referencedColumns[0]} in the database.`
    drifts.push({ kind: 'reference', column: field.name, detail })
  }
  return drifts
}

/** Whether a column alone is a unique key of a table. */
export function isUnique({ uniqueKeys, primaryKey }: Table, column: string): boolean {
  return [...uniqueKeys, primaryKey].some((key) => key.length === 1 && key[0] === column)
}

/** The reference of a single column. */
export function referenceOf(
  { foreignKeys }: Table,
  column: string,
): Table['foreignKeys'][number] | undefined {
  return foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column)
}
