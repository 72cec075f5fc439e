import { isUnique } from '../drift.ts'
import { rowsText } from '../planned-steps.ts'
import type { KeptField } from './field-to-plan.ts'

/** Plans the uniqueness of a kept field. */
export async function planUnique({
  definition,
  field,
  column,
  table,
  planner,
  planContext,
}: KeptField): Promise<void> {
  const isNow = isUnique(table, column.name)
  if (isNow === field.unique) return
  const columns = [field.name]
  if (!field.unique) {
    return planner.add({
      kind: 'dropUnique',
      field: field.name,
      description: `Allow equal values in the column "${field.name}".`,
      changes: [{ kind: 'dropUnique', table: definition.name, columns }],
      rows: 'Rows stay as they are.',
    })
  }
  const repeating = await planContext.analysis.repeating(table.name, column.name)
  if (repeating > 0) {
    const detail = `${rowsText(repeating, 'shares', 'share')} a value with another row. Make the values different first.`
    const key = field.kind === 'identifier' ? 'field_name' : 'field_unique'
    planner.refuse({ pointer: `${field.pointer}/${key}`, detail, isAllowable: false })
  }
  planner.add({
    kind: 'addUnique',
    field: field.name,
    description: `Require unique values in the column "${field.name}".`,
    changes: [{ kind: 'addUnique', table: definition.name, columns }],
    rows: 'No two rows share a value.',
    rowCount: repeating,
  })
}
