/** A field that is new in a table with rows: what its column is made from, and what the rows get. */
import type { Table } from '../database/database-schema.ts'
import type { Ddl } from '../database/dialect.ts'
import type { ColumnSpec, TableSpec } from '../database/table-spec.ts'
import type { Mistake } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { DefaultContext } from '../query/write-rules.ts'
import type { ChangeStep } from './change-plan.ts'
import { evaluateDefault } from './default-expression.ts'
import type { EntityField } from './entity-definition.ts'
import { fieldTypes } from './field-types/index.ts'

export interface AddedColumnSituation {
  readonly table: Table
  /** How many rows the table has. */
  readonly rows: number
  readonly ddl: Ddl
  readonly context: DefaultContext
}

/** The step that adds a field's column, or why it cannot be added. */
export function planAddedColumn(
  field: EntityField,
  spec: TableSpec,
  { table, rows, ddl, context }: AddedColumnSituation,
): { readonly step: ChangeStep } | { readonly mistake: Mistake } {
  const fill = fillOf(field, context)
  const refusal = refusalOf(field, fill, rows)
  if (refusal !== undefined) return { mistake: refusal }
  const columns = spec.columns.filter(({ name }) => name === field.name || table.columns.has(name))
  const wanted = { ...spec, columns: columns.map((column) => withFill(column, field.name, fill)) }
  const step: ChangeStep = {
    kind: 'addColumn',
    description: `Add the column "${field.name}" to the table "${spec.name}".`,
    statements: ddl.addColumns(table, wanted),
    rows: effectOn(rows, fill),
  }
  return { step }
}

/** What existing rows get. A unique or referring column is not filled where it may be null: no one value fits all rows. */
function fillOf(field: EntityField, context: DefaultContext): string | number | null {
  if (field.default === undefined) return null
  if (field.nullable && (field.unique || field.reference !== undefined)) return null
  const value = evaluateDefault(field.default, field.type, context)
  if (value === null) return null
  const encoding = fieldTypes[field.type].encode(value)
  invariant(
    'value' in encoding && (typeof encoding.value === 'string' || typeof encoding.value === 'number'),
    'a default was checked against its type when it was read',
  )
  return encoding.value
}

function refusalOf(field: EntityField, fill: string | number | null, rows: number): Mistake | undefined {
  if (field.nullable) return undefined
  const at = (key: string, detail: string) => ({ pointer: `${field.pointer}/${key}`, detail })
  if (field.reference !== undefined) {
    return at(
      'field_nullable',
      'A reference that is added to a table must be nullable: no record is there yet that existing rows could refer to.',
    )
  }
  if (fill === null) {
    return at(
      'field_nullable',
      'A field that is added to a table and is not nullable needs a field_default, which existing rows get. Give it one, or make it nullable.',
    )
  }
  if (field.unique && rows > 1) {
    return at(
      'field_unique',
      `${count(rows)} would get the same value in a unique field. Make it nullable, or not unique.`,
    )
  }
  return undefined
}

function withFill(column: ColumnSpec, name: string, fill: string | number | null): ColumnSpec {
  return column.name === name && fill !== null ? { ...column, fill } : column
}

function effectOn(rows: number, fill: string | number | null): string {
  if (rows === 0) return 'There are no rows yet.'
  return `${count(rows)} get${rows === 1 ? 's' : ''} ${fill === null ? 'null' : JSON.stringify(fill)}.`
}

function count(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}
