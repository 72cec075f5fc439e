import { encodedEnum } from '../../definition/check-field.ts'
import { fieldTypes } from '../../definition/field-types/index.ts'
import { destructive, rowsText } from '../planned-steps.ts'
import type { KeptField } from './field-to-plan.ts'

/** A narrower enum changes no row, but rows may hold values that can no longer be written. */
export async function planEnum({
  field,
  before,
  column,
  table,
  planner,
  planContext,
}: KeptField): Promise<void> {
  if (field.enum === undefined || field.type !== before.type) return
  const allowed = encodedEnum(field.enum, fieldTypes[field.type])
  const stored =
    before.enum === undefined ? undefined : [...encodedEnum(before.enum, fieldTypes[before.type])]
  if (stored?.every((value) => allowed.has(value))) return
  const others = await planContext.analysis.otherThan(table.name, column.name, [...allowed])
  if (others === 0) return
  const detail = `${rowsText(others, 'holds', 'hold')} a value that is not in the list; such values could be kept, but not written any more.`
  planner.refuse(destructive(`${field.pointer}/field_enum`, detail))
}
