import type { TableChange } from '../../../database/table-change.ts'
import { invariant } from '../../../errors/invariant.ts'
import type { EntityDefinition, EntityField } from '../../definition/entity-definition.ts'
import { referenceOf } from '../drift.ts'
import { rowsText } from '../planned-steps.ts'
import { referenceIndex } from '../table-spec-of.ts'
import type { KeptField } from './field-to-plan.ts'

/** Plans the reference of a kept field. */
export async function planReference(kept: KeptField): Promise<void> {
  const { definition, field, column, table, planner, planContext } = kept
  const found = referenceOf(table, column.name)
  const { reference } = field
  if (found !== undefined) {
    const now = planContext.renames.after(found)
    if (reference !== undefined && now.entity === reference.entity && now.field === reference.field) return
    planner.add({
      kind: 'dropReference',
      field: field.name,
      description: `Remove the reference of "${field.name}" to ${now.entity}.${now.field}.`,
      changes: dropFoundReference(kept),
      rows: 'Rows stay as they are.',
    })
  }
  if (reference === undefined) return
  const target = planContext.renames.before(reference)
  const dangling =
    target === undefined
      ? (await planContext.analysis.rows(table.name)) -
        (await planContext.analysis.withoutValue(table.name, column.name))
      : await planContext.analysis.dangling(table.name, column.name, target)
  if (dangling > 0) {
    const detail = `${rowsText(dangling, 'holds', 'hold')} a value that no ${reference.entity} has as its ${reference.field}.`
    planner.refuse({ pointer: `${field.pointer}/ref_class`, detail, isAllowable: false })
  }
  planner.add({
    kind: 'addReference',
    field: field.name,
    description: `Make "${field.name}" a reference to ${reference.entity}.${reference.field}.`,
    changes: [addReference(definition, field)],
    rows: 'Every value exists there.',
    rowCount: dangling,
  })
}

/** The existing reference, by the names before any renames. */
export function dropFoundReference({ table, column, stored }: KeptField): readonly TableChange[] {
  const key = referenceOf(table, column.name)
  if (key === undefined) return []
  return [{ kind: 'dropReference', table: table.name, key, index: referenceIndex(stored, column.name) }]
}

/** The change that adds the reference of a field. */
export function addReference(definition: EntityDefinition, { name, reference }: EntityField): TableChange {
  invariant(reference !== undefined, 'a reference is added for a field that has one')
  return {
    kind: 'addReference',
    table: definition.name,
    key: { columns: [name], referencedTable: reference.entity, referencedColumns: [reference.field] },
    index: referenceIndex(definition, name),
  }
}
