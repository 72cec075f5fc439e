/** Whether a table still is what its definition made of it, or was changed by something else. */
import type { DatabaseSchema, Table } from '../database/database-schema.ts'
import type { Ddl } from '../database/dialect.ts'
import { columnFields, type EntityDefinition, type EntityField, hasTable } from './entity-definition.ts'
import { tableSpecOf } from './table-spec-of.ts'

/** One way in which a table is not what was expected. */
export interface Drift {
  readonly kind:
    | 'missingTable'
    | 'missingColumn'
    | 'extraColumn'
    | 'type'
    | 'nullable'
    | 'unique'
    | 'reference'
  /** The column it is about; undefined for the whole table. */
  readonly column: string | undefined
  /** For people, in a sentence. */
  readonly detail: string
}

/** What of a definition's table is otherwise than the definition made it. */
export function driftOf(
  definition: EntityDefinition,
  { tables }: DatabaseSchema,
  ddl: Pick<Ddl, 'hasType'>,
): readonly Drift[] {
  if (!hasTable(definition)) return []
  const table = tables.get(definition.name)
  if (table === undefined) {
    const detail = `The table "${definition.name}" is not there.`
    return [{ kind: 'missingTable', column: undefined, detail }]
  }
  const spec = tableSpecOf(definition)
  const fields = new Map(columnFields(definition).map((field) => [field.name, field]))
  const wanted = new Set(spec.columns.map(({ name }) => name))
  return [
    ...spec.columns.flatMap((column): readonly Drift[] => {
      const found = table.columns.get(column.name)
      if (found === undefined) {
        return [
          { kind: 'missingColumn', column: column.name, detail: `The column "${column.name}" is not there.` },
        ]
      }
      const drifts: Drift[] = []
      if (!ddl.hasType(found, column)) {
        const detail = `The column "${column.name}" is of type ${found.nativeType} there.`
        drifts.push({ kind: 'type', column: column.name, detail })
      }
      if (found.nullable !== column.nullable) {
        const detail = `The column "${column.name}" is ${found.nullable ? '' : 'not '}nullable there.`
        drifts.push({ kind: 'nullable', column: column.name, detail })
      }
      const field = fields.get(column.name)
      return field === undefined ? drifts : [...drifts, ...driftOfKeys(field, table)]
    }),
    ...[...table.columns.keys()]
      .filter((name) => !wanted.has(name))
      .map((name): Drift => {
        const detail = `The column "${name}" is there, which the definition does not have.`
        return { kind: 'extraColumn', column: name, detail }
      }),
  ]
}

function driftOfKeys(field: EntityField, table: Table): readonly Drift[] {
  const drifts: Drift[] = []
  if (isUnique(table, field.name) !== field.unique) {
    const detail = `The column "${field.name}" is ${field.unique ? 'not ' : ''}unique there.`
    drifts.push({ kind: 'unique', column: field.name, detail })
  }
  const found = referenceOf(table, field.name)
  const { reference } = field
  if (found?.referencedTable !== reference?.entity || found?.referencedColumns[0] !== reference?.field) {
    const detail =
      found === undefined
        ? `The column "${field.name}" refers to nothing there.`
        : `The column "${field.name}" refers to ${found.referencedTable}.${found.referencedColumns[0]} there.`
    drifts.push({ kind: 'reference', column: field.name, detail })
  }
  return drifts
}

/** Whether a column alone is a unique key of a table. */
export function isUnique({ uniqueKeys, primaryKey }: Table, column: string): boolean {
  return [...uniqueKeys, primaryKey].some((key) => key.length === 1 && key[0] === column)
}

/** The reference that a column alone makes. */
export function referenceOf(
  { foreignKeys }: Table,
  column: string,
): Table['foreignKeys'][number] | undefined {
  return foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column)
}
