/** Plans the changes of an existing table: field by field, from the existing column to the wanted one. */
import { columnFields, type EntityField } from '../definition/entity-definition.ts'
import type { FieldsToPlan, KeptField } from './fields/field-to-plan.ts'
import { planAdded } from './fields/plan-added.ts'
import { planDropped } from './fields/plan-dropped.ts'
import { planEnum } from './fields/plan-enum.ts'
import { planIdentifier } from './fields/plan-identifier.ts'
import { planNullable } from './fields/plan-nullable.ts'
import { planReference } from './fields/plan-reference.ts'
import { planType } from './fields/plan-type.ts'
import { planUnique } from './fields/plan-unique.ts'
import type { PlannedSteps } from './planned-steps.ts'
import { fieldBefore } from './renames.ts'

/** Plans the fields of one entity. */
export async function planFields(fields: FieldsToPlan): Promise<void> {
  const { definition, stored, table, planner } = fields
  const storedFields = new Map(columnFields(stored).map((field) => [field.name, field]))
  const wanted = columnFields(definition)
  const names = new Set(wanted.map(({ name }) => name))
  const columnNames = new Map([...table.columns.keys()].map((name) => [name.toLowerCase(), name]))
  const kept = new Set<string>()
  for (const field of wanted) {
    const same = storedFields.get(field.name)
    const column = table.columns.get(field.name)
    if (same !== undefined && column !== undefined) {
      kept.add(same.name)
      await planKept({ ...fields, field, before: same, column })
      continue
    }
    const renamed = fieldBefore(field, storedFields, names)
    const oldColumn = renamed && table.columns.get(renamed.name)
    const taken = columnNames.get(field.name.toLowerCase())
    if (renamed !== undefined && oldColumn !== undefined) {
      kept.add(renamed.name)
      if (taken !== undefined && taken !== renamed.name) planner.refuse(nameTaken(field, taken))
      else await planRenamed({ ...fields, field, before: renamed, column: oldColumn })
    } else if (taken !== undefined) planner.refuse(nameTaken(field, taken))
    else {
      refuseRename(field, storedFields, planner)
      await planAdded({ ...fields, field })
    }
  }
  for (const field of storedFields.values()) {
    if (!kept.has(field.name) && table.columns.has(field.name)) await planDropped({ ...fields, field })
  }
  await planIdentifier(fields)
}

/** A field that still exists cannot have been renamed. */
function refuseRename(
  { pointer, renamedFrom }: EntityField,
  stored: ReadonlyMap<string, EntityField>,
  planner: PlannedSteps,
): void {
  if (renamedFrom === undefined || !stored.has(renamedFrom)) return
  const detail = `The field "${renamedFrom}" is still in the definition. Remove one of them, and add a new field of that name in a later upload.`
  planner.refuse({ pointer: `${pointer}/renamed_from`, detail, isAllowable: false })
}

function nameTaken(field: EntityField, column: string) {
  const detail = `The table already has a column "${column}". Choose another name, or drop that column in an earlier upload.`
  return { pointer: `${field.pointer}/field_name`, detail, isAllowable: false }
}

async function planRenamed(kept: KeptField): Promise<void> {
  const { definition, field, before, planner } = kept
  planner.add({
    kind: 'renameColumn',
    field: field.name,
    description: `Rename the column "${before.name}" to "${field.name}".`,
    changes: [{ kind: 'renameColumn', table: definition.name, column: before.name, to: field.name }],
    rows: 'Rows stay as they are.',
  })
  await planKept(kept)
}

async function planKept(kept: KeptField): Promise<void> {
  await planNullable(kept, await planType(kept))
  await planUnique(kept)
  await planReference(kept)
  await planEnum(kept)
}
