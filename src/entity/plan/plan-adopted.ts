/**
 * Plans the definition of an adopted table: it must describe existing columns as they are, and may change its own fields
 * like any entity, as long as the table need not be rebuilt.
 */
import type { Table } from '../../database/database-schema.ts'
import { typeMisfits } from '../adopt/adopted-table.ts'
import { codecOfColumn } from '../adopt/foreign-columns.ts'
import { withinSize } from '../adopt/within-size.ts'
import type { EntityDefinition, EntityField } from '../definition/entity-definition.ts'
import type { KnownEntity } from '../definition/stored-definition.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'
import { driftOf } from './drift.ts'
import type { PlanContext } from './plan-context.ts'
import { planFields } from './plan-fields.ts'
import { destructive, type PlannedSteps } from './planned-steps.ts'

/** Plans the upload of a definition whose table is, or was, adopted. */
export async function planAdopted(
  { definition }: UploadedEntity,
  stored: KnownEntity | undefined,
  planner: PlannedSteps,
  planContext: PlanContext,
): Promise<void> {
  const refuse = (pointer: string, detail: string) => planner.refuse({ pointer, detail, isAllowable: false })
  const table = planContext.found.tables.get(definition.name)
  if (definition.adopted === undefined) {
    refuse(
      '',
      `"${stored?.entity.name}" is an adopted table, which the definition has to say by "adopted". Delete the entity first to make one of its name; the table stays.`,
    )
    return
  }
  if (stored !== undefined && stored.definition.adopted === undefined) {
    refuse('/adopted', "The table is the gateway's own. Leave this out.")
    return
  }
  if (table?.kind !== 'table') {
    refuse('/name', `There is no table "${definition.name}" that could be adopted.`)
    return
  }
  refuseMisfits(definition, stored?.definition, planner, planContext)
  if (stored === undefined) {
    planner.add({
      kind: 'adoptTable',
      description: `Adopt the table "${definition.name}"; what is in it stays as it is.`,
      changes: [],
      rows: 'Rows stay as they are.',
    })
  }
  await planOwnFields(definition, stored?.definition, table, planner, planContext)
}

/** The definition must be changed if it differs from the table; unknown columns do no harm. */
function refuseMisfits(
  definition: EntityDefinition,
  stored: EntityDefinition | undefined,
  planner: PlannedSteps,
  { found, ddl }: PlanContext,
): void {
  const fields = new Map(definition.fields.map((field) => [field.name, field]))
  const isForeign = (name: string | undefined) => name === undefined || fields.get(name)?.column !== undefined
  const drift = driftOf(definition, found, ddl).filter(
    ({ kind, column }) => kind !== 'extraColumn' && isForeign(column),
  )
  for (const { column, detail } of [...drift, ...typeMisfits(definition, found)]) {
    const pointer = (column === undefined ? undefined : fields.get(column)?.pointer) ?? '/adopted/key'
    const advice = 'The gateway does not change it: describe it as it is.'
    planner.refuse({ pointer, detail: `${detail} ${advice}`, isAllowable: false })
  }
  refuseDefaults(definition, planner, found)
  const own = new Map(stored === undefined ? [] : ownFields(stored).map((field) => [field.name, field]))
  for (const { kind, column = '', detail } of stored === undefined ? [] : driftOf(stored, found, ddl)) {
    if (kind === 'extraColumn' || !own.has(column)) continue
    const said = `The table was changed by something else than an upload. ${detail}`
    const pointer = fields.get(column)?.pointer ?? ''
    planner.refuse(destructive(pointer, said, 'make the column follow the definition again'))
  }
}

/** Defaults that their columns would round, cut or refuse. */
function refuseDefaults(
  { name: entity, fields }: EntityDefinition,
  planner: PlannedSteps,
  { tables }: PlanContext['found'],
): void {
  const columns = tables.get(entity)?.columns
  for (const field of fields) {
    const column = field.column === undefined ? undefined : columns?.get(field.name)
    if (column === undefined || field.default?.kind !== 'literal') continue
    const encoding = withinSize(codecOfColumn(column, field.type), column).encode(field.default.value)
    const pointer = `${field.pointer}/field_default`
    if ('refused' in encoding) planner.refuse({ pointer, detail: encoding.refused, isAllowable: false })
  }
}

/** Fields whose columns the gateway added, or adds now. */
async function planOwnFields(
  definition: EntityDefinition,
  stored: EntityDefinition | undefined,
  table: Table,
  planner: PlannedSteps,
  planContext: PlanContext,
): Promise<void> {
  const names = new Set(
    definition.fields.filter(({ column }) => column !== undefined).map(({ name }) => name),
  )
  const before = stored === undefined ? [] : ownFields(stored).filter(({ name }) => !names.has(name))
  for (const field of ownFields(definition)) {
    if (!table.columns.has(field.name) || before.some(({ name }) => name === field.name)) continue
    const detail = `The column "${field.name}" exists. Name its type with field_column.`
    planner.refuse({ pointer: `${field.pointer}/field_column`, detail, isAllowable: false })
    return
  }
  if (definition.adopted?.schema !== undefined) {
    for (const field of [...ownFields(definition), ...before]) {
      const detail = `The table is in the schema "${definition.adopted.schema}", whose tables the gateway does not change: add the column in the database, and name its type with field_column.`
      planner.refuse({ pointer: field.pointer, detail, isAllowable: false })
    }
    return
  }
  const planned = planner.steps.length
  await planFields({
    definition: { ...definition, fields: ownFields(definition) },
    stored: { ...definition, fields: before },
    table,
    planner,
    planContext,
  })
  const steps = planner.steps.slice(planned)
  const changes = steps.flatMap((step) => step.changes)
  if (!planContext.ddl.rebuildsTable(changes, planContext.catalog)) return
  const detail = `The database would have to make the table "${table.name}" again, and what others have said of it would be lost: ${steps.map(({ description }) => description).join(' ')} Make this change in the database.`
  planner.refuse({ pointer: '', detail, isAllowable: false })
}

function ownFields({ fields }: EntityDefinition): readonly EntityField[] {
  return fields.filter(({ column }) => column === undefined)
}
