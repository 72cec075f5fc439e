import { destructive, rowsText } from '../planned-steps.ts'
import type { FieldsToPlan } from './field-to-plan.ts'

/** Another field identifies the records from now on: rows without a value in it cannot be found. */
export async function planIdentifier({
  definition,
  stored,
  table,
  planner,
  planContext,
}: FieldsToPlan): Promise<void> {
  const field = definition.fields.find(({ kind }) => kind === 'identifier')
  const [before = ''] = stored.key
  if (field === undefined || stored.key.includes(field.name)) return
  if (field.renamedFrom === before) return
  const pointer = '/attributes/identifier/field_name'
  const rows = await planContext.analysis.rows(table.name)
  const column = [field.name, field.renamedFrom].find((name) => name !== undefined && table.columns.has(name))
  const missing = column === undefined ? rows : await planContext.analysis.withoutValue(table.name, column)
  if (missing > 0) {
    const detail = `${rowsText(missing, 'has', 'have')} no value in "${field.name}" and could not be found by it.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (rows > 0) {
    const detail = `Records are addressed by "${before}"; the addresses of ${rowsText(rows)} would change.`
    planner.refuse(destructive(pointer, detail))
  }
  planner.add({
    kind: 'changeIdentifier',
    field: field.name,
    description: `Address records by "${field.name}" instead of "${before}".`,
    changes: [],
    rows:
      rows === 0 ? 'There are no rows.' : `${rowsText(rows, 'gets another address', 'get other addresses')}.`,
    rowCount: rows,
    isDestructive: rows > 0,
  })
}
