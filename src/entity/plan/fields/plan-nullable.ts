import type { TableChange } from '../../../database/table-change.ts'
import type { ColumnSpec } from '../../../database/table-spec.ts'
import { destructive, rowsText } from '../planned-steps.ts'
import { columnSpecOf, isMadeByOthers } from '../table-spec-of.ts'
import type { KeptField } from './field-to-plan.ts'
import { fillOf } from './fill-of.ts'
import type { TypeChange } from './plan-type.ts'

/** Plans whether a kept field may be null; a change of the type says it with it. */
export async function planNullable(kept: KeptField, typeChange: TypeChange): Promise<void> {
  const { definition, field, column, table, planner, planContext } = kept
  if (column.nullable === field.nullable) return
  if (isMadeByOthers(table, planContext.ddl)) return refuseNullable(kept)
  const spec: ColumnSpec = { ...columnSpecOf(kept.before), name: field.name }
  // A change of the type includes it.
  const changes = (fill: string | number | null): readonly TableChange[] => {
    if (typeChange !== 'none') return []
    const from = { ...spec, nullable: column.nullable }
    const to = { ...spec, nullable: field.nullable, ...(fill === null ? {} : { fill }) }
    return [{ kind: 'changeColumn', table: definition.name, from, to, isLossy: false }]
  }
  if (field.nullable) {
    return planner.add({
      kind: 'allowNull',
      field: field.name,
      description: `Allow null in the column "${field.name}".`,
      changes: changes(null),
      rows: 'Rows stay as they are.',
    })
  }
  const nulls = await planContext.analysis.withoutValue(table.name, column.name)
  const fill = nulls === 0 ? null : fillOf(field, planContext)
  const pointer = `${field.pointer}/field_nullable`
  if (nulls > 0 && typeChange !== 'none') {
    const detail = `${rowsText(nulls, 'has', 'have')} no value here. Change the type and forbid null in two uploads.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (nulls > 0 && (fill === null || field.reference !== undefined || (field.unique && nulls > 1))) {
    const reason =
      field.reference !== undefined
        ? 'no one record is known that they could refer to'
        : fill === null
          ? 'there is no field_default that they could get'
          : 'the field_default would be the same for all of them in a unique field'
    const detail = `${rowsText(nulls, 'has', 'have')} no value here, and ${reason}.`
    planner.refuse({ pointer, detail, isAllowable: false })
  } else if (nulls > 0) {
    const detail = `${rowsText(nulls, 'has', 'have')} no value here and would get ${JSON.stringify(fill)}.`
    planner.refuse(destructive(pointer, detail))
  }
  planner.add({
    kind: 'forbidNull',
    field: field.name,
    description: `Disallow null in the column "${field.name}".`,
    changes: changes(fill),
    rows:
      nulls === 0
        ? 'No row is without a value.'
        : `${rowsText(nulls, 'gets', 'get')} ${JSON.stringify(fill)}.`,
    rowCount: nulls,
    isDestructive: nulls > 0,
  })
}

/** In a table of another program, the definition's rule is only for what the gateway writes. */
async function refuseNullable({
  field,
  before,
  column,
  table,
  planner,
  planContext,
}: KeptField): Promise<void> {
  if (field.nullable === before.nullable) return
  const pointer = `${field.pointer}/field_nullable`
  const nulls = field.nullable ? 0 : await planContext.analysis.withoutValue(table.name, column.name)
  if (!field.nullable && nulls === 0) return
  const reason = field.nullable
    ? 'The column takes no null'
    : `${rowsText(nulls, 'has', 'have')} no value here`
  const detail = `${reason}, and another program made the table. Change it in the database first.`
  planner.refuse({ pointer, detail, isAllowable: false })
}
