import { referenceOf } from '../drift.ts'
import { destructive, rowsText } from '../planned-steps.ts'
import { referenceIndex } from '../table-spec-of.ts'
import type { FieldToPlan } from './field-to-plan.ts'

/** Plans the removal of a field. */
export async function planDropped({
  definition,
  stored,
  field,
  table,
  planner,
  planContext,
}: FieldToPlan): Promise<void> {
  const rows = await planContext.analysis.rows(table.name)
  const held = rows - (await planContext.analysis.withoutValue(table.name, field.name))
  const key = referenceOf(table, field.name)
  planner.add({
    kind: 'dropColumn',
    field: field.name,
    description: `Drop the column "${field.name}" of the table "${definition.name}".`,
    changes: [
      ...(key === undefined
        ? []
        : [
            {
              kind: 'dropReference',
              table: table.name,
              key,
              index: referenceIndex(stored, field.name),
            } as const,
          ]),
      { kind: 'dropColumn', table: definition.name, column: field.name },
    ],
    rows:
      rows === 0
        ? 'There are no rows.'
        : held === 0
          ? 'No row has a value in it.'
          : `${rowsText(held, 'loses', 'lose')} a value.`,
    rowCount: held,
    isDestructive: rows > 0,
  })
  if (rows === 0) return
  const wanted = definition.fields.find(({ name }) => name === field.name)
  const list = field.kind === 'reference' ? 'ref_fields' : 'local_fields'
  const pointer = wanted === undefined ? `/attributes/${list}` : `${wanted.pointer}/field_persistence`
  const what = wanted === undefined ? 'is missing here' : 'would lose its column'
  const detail = `The field "${field.name}" ${what}. ${rowsText(held, 'holds', 'hold')} a value in it, which would be lost.`
  planner.refuse(
    destructive(pointer, `${detail} Put it back, or say with renamed_from what it is called now.`, 'drop it'),
  )
}
