import type { EntityField } from '../../definition/entity-definition.ts'
import type { PlanContext } from '../plan-context.ts'
import { rowsText } from '../planned-steps.ts'
import { columnSpecOf } from '../table-spec-of.ts'
import type { FieldToPlan } from './field-to-plan.ts'
import { fillOf } from './fill-of.ts'
import { addReference } from './plan-reference.ts'

/** Plans a new field. */
export async function planAdded({
  definition,
  field,
  table,
  planner,
  planContext,
}: FieldToPlan): Promise<void> {
  const rows = await planContext.analysis.rows(table.name)
  const fill = fillOfAdded(field, planContext)
  const refusal = rows === 0 ? undefined : refusalOfAdded(field, fill, rows)
  if (refusal !== undefined) planner.refuse({ ...refusal, isAllowable: false })
  const column = { ...columnSpecOf(field), ...(fill === null ? {} : { fill }) }
  planner.add({
    kind: 'addColumn',
    field: field.name,
    description: `Add the column "${field.name}" to the table "${definition.name}".`,
    changes: [
      { kind: 'addColumn', table: definition.name, column },
      ...(field.unique
        ? [{ kind: 'addUnique', table: definition.name, columns: [field.name] } as const]
        : []),
      ...(field.reference === undefined ? [] : [addReference(definition, field)]),
    ],
    rows:
      rows === 0
        ? 'There are no rows yet.'
        : `${rowsText(rows, 'gets', 'get')} ${fill === null ? 'null' : JSON.stringify(fill)}.`,
    rowCount: rows,
  })
}

/** A unique or referring column is not filled if it may be null: no single value fits all rows. */
function fillOfAdded(field: EntityField, planContext: PlanContext): string | number | null {
  if (field.nullable && (field.unique || field.reference !== undefined)) return null
  return fillOf(field, planContext)
}

function refusalOfAdded(field: EntityField, fill: string | number | null, rows: number) {
  if (field.nullable) return undefined
  const at = (key: string, detail: string) => ({ pointer: `${field.pointer}/${key}`, detail })
  if (field.reference !== undefined) {
    return at(
      'field_nullable',
      `A reference that is added to a table with ${rowsText(rows)} must be nullable: there is no value that its rows could get.`,
    )
  }
  if (fill === null) {
    return at(
      'field_nullable',
      `A field that is added to a table with ${rowsText(rows)} and is not nullable needs a field_default for them. Add one, or make the field nullable.`,
    )
  }
  return field.unique && rows > 1
    ? at(
        'field_unique',
        `${rowsText(rows)} would get the same value in a unique field. Make it nullable, or not unique.`,
      )
    : undefined
}
