/** Plans a definition for an existing table with all system columns. */
import type { Table } from '../../database/database-schema.ts'
import { columnFields, type EntityDefinition } from '../definition/entity-definition.ts'
import type { PlanContext } from './plan-context.ts'
import { planFields } from './plan-fields.ts'
import { destructive, type PlannedSteps } from './planned-steps.ts'
import { conflictsOf, unknownColumns, unsaidKeys } from './taken-table.ts'

/**
 * Plans to take over a table as it is. Missing columns, unique keys and references are added; its rows stay as they are.
 */
export async function planTaken(
  definition: EntityDefinition,
  table: Table,
  planner: PlannedSteps,
  planContext: PlanContext,
): Promise<void> {
  const { found, ddl, analysis, catalog } = planContext
  const pointers = new Map(definition.fields.map(({ name, pointer }) => [name, pointer]))
  const conflicts = [
    ...(await conflictsOf(definition, found, ddl, analysis)),
    ...unsaidKeys(table, definition),
  ]
  for (const { column, detail } of conflicts) {
    const pointer = pointers.get(column ?? '') ?? '/name'
    const said = `The database has a table "${table.name}" already that no entity definition made. ${detail}`
    planner.refuse({ pointer, detail: said, isAllowable: false })
  }
  if (conflicts.length > 0) return
  planner.add({
    kind: 'takeTable',
    description: descriptionOf(definition, table),
    changes: [],
    rows: 'Rows stay as they are.',
  })
  const planned = planner.steps.length
  const isThere = ({ name }: { readonly name: string }) => table.columns.has(name)
  const there = { ...definition, fields: columnFields(definition).filter(isThere) }
  await planFields({ definition, stored: there, table, planner, planContext })
  const added = planner.steps.slice(planned)
  const changes = added.flatMap((step) => step.changes)
  if (!ddl.rebuildsTable(changes, catalog) || catalog.tables.get(table.name)?.saysMore !== true) return
  const what = added.map(({ description }) => description).join(' ')
  const detail = `The database would have to recreate the table "${table.name}", and what another program defined on it besides columns, keys and indexes would be lost: ${what} Make this change in the database.`
  planner.refuse(destructive('', detail))
}

function descriptionOf(definition: EntityDefinition, table: Table): string {
  const unknown = unknownColumns(table, definition).map(({ name }) => `"${name}"`)
  const others = unknown.length === 0 ? '' : ` Of its columns ${unknown.join(', ')} are no fields.`
  return `Take the table "${table.name}" as it is.${others}`
}
