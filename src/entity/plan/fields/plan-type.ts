import { conversionName, convertibleTypes } from '../../../database/conversion.ts'
import { takesField } from '../../adopt/foreign-columns.ts'
import type { EntityField } from '../../definition/entity-definition.ts'
import { type FieldTypeName, fieldTypes } from '../../definition/field-types/index.ts'
import { referenceOf } from '../drift.ts'
import { destructive, rowsText } from '../planned-steps.ts'
import { columnSpecOf, isMadeByOthers } from '../table-spec-of.ts'
import { strangeBooleans } from '../taken-table.ts'
import type { KeptField } from './field-to-plan.ts'
import { addReference, dropFoundReference } from './plan-reference.ts'

/** Whether the column gets another type. */
export type TypeChange = 'none' | 'changed'

/** Plans the type of a kept field. */
export async function planType(kept: KeptField): Promise<TypeChange> {
  const { definition, field, before, column, table, planner, planContext } = kept
  const { ddl, analysis } = planContext
  const from = columnSpecOf(before)
  const to = columnSpecOf(field)
  const refuse = (detail: string) =>
    planner.refuse({ pointer: `${field.pointer}/field_type`, detail, isAllowable: false })
  const name = conversionName(from.type, to.type)
  const isTaken = isMadeByOthers(table, ddl) && (name === undefined || from.type === to.type)
  if (!ddl.hasType(column, from) || isTaken) {
    if (!takesField(column, field.type, ddl)) {
      refuse(
        `The column is of type ${column.nativeType}, which does not fit ${field.type}. Change it in the database first.`,
      )
    } else if (before.type !== field.type) {
      const strange = await strangeBooleans(column, field.type, table.name, analysis)
      if (strange !== undefined) refuse(strange)
    }
    return 'none'
  }
  if (from.type === to.type) {
    if (before.type !== field.type) refuse(cannotBecome(before, field))
    return 'none'
  }
  if (name === undefined) {
    refuse(cannotBecome(before, field))
    return 'none'
  }
  const { isUnfit, isCut } = ddl.conversion(name, planContext.quote(column.name))
  const unfit = isUnfit === undefined ? 0 : await analysis.meeting(table.name, isUnfit)
  const cut = isCut === undefined ? 0 : await analysis.meeting(table.name, isCut)
  if (unfit > 0) refuse(`${rowsText(unfit, 'holds', 'hold')} a value that ${field.type} does not take.`)
  else if (cut > 0) {
    const detail = `${rowsText(cut, 'holds', 'hold')} a value that ${field.type} takes only a part of; the rest would be lost.`
    planner.refuse(destructive(`${field.pointer}/field_type`, detail))
  }
  if (cut > 0 && field.unique)
    refuse('Values of a unique field cannot be shortened: they could become equal.')
  planner.add({
    kind: 'changeType',
    field: field.name,
    description: `Change the type of the column "${field.name}" from ${before.type} to ${field.type}.`,
    changes: [
      ...dropFoundReference(kept),
      {
        kind: 'changeColumn',
        table: definition.name,
        from: { ...from, name: field.name, nullable: column.nullable },
        to,
        // A row written meanwhile may meet a condition that none meets now.
        isLossy: isCut !== undefined,
      },
      ...(field.reference === undefined || referenceOf(table, column.name) === undefined
        ? []
        : [addReference(definition, field)]),
    ],
    rows: cut === 0 ? 'Values stay what they are.' : `${rowsText(cut, 'loses', 'lose')} a part of the value.`,
    rowCount: cut,
    isDestructive: cut > 0,
  })
  return 'changed'
}

function cannotBecome(before: EntityField, field: EntityField): string {
  const specTypes = new Set(convertibleTypes(fieldTypes[before.type].column))
  const able = (Object.keys(fieldTypes) as FieldTypeName[]).filter((name) =>
    specTypes.has(fieldTypes[name].column),
  )
  const types = able.length === 0 ? '' : ` ${before.type} can become ${able.join(', ')}.`
  return `This is ${before.type} now and cannot become ${field.type}.${types} Keep it, and add a field with another name.`
}
