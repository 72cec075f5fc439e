/**
 * Compares the definitions of an upload with the stored ones and with the existing tables, and plans the changes. Changes
 * by which rows would lose data, or which rows contradict, are problems of the plan, each with its location in the
 * upload.
 */
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import type { TableCatalog } from '../../database/table-catalog.ts'
import type { TableChange } from '../../database/table-change.ts'
import { type EntityDefinition, hasTable } from '../definition/entity-definition.ts'
import type { KnownEntity } from '../definition/stored-definition.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'
import type { ChangePlan, ChangeStep, EntityChange, PlanProblem } from './change-plan.ts'
import { type Drift, driftOf } from './drift.ts'
import { orderByNeed, orderChanges } from './order-changes.ts'
import { planAdopted } from './plan-adopted.ts'
import type { PlanContext } from './plan-context.ts'
import { planFields } from './plan-fields.ts'
import { planTaken } from './plan-taken.ts'
import { createPlanner, destructive, dropTableStep, type PlannedSteps, rowsText } from './planned-steps.ts'
import type { TableAnalysis } from './table-analysis.ts'
import { tableSpecOf } from './table-spec-of.ts'
import { hasSystemColumns } from './taken-table.ts'

/** Plans an upload. It can be carried out if it has no problems. */
export async function planChange(planContext: PlanContext): Promise<ChangePlan> {
  const { uploads, ddl, catalog } = planContext
  const problems: PlanProblem[] = []
  const drafts: Draft[] = []
  for (const upload of uploads) {
    const { definition, pointer } = upload
    const stored = planContext.storedFor(upload)
    const planner = createPlanner(ddl, planContext.allowDestructive)
    const drift = stored === undefined ? [] : driftOf(stored.definition, planContext.found, ddl)
    await planEntity(upload, stored, drift, planner, planContext)
    for (const problem of planner.problems) problems.push({ ...problem, pointer: pointer + problem.pointer })
    drafts.push({
      name: definition.name,
      needs: definition.fields.flatMap(({ reference }) => reference?.entity ?? []),
      change: {
        upload,
        storedName: stored?.entity.name,
        steps: planner.steps.length > 0 ? planner.steps : [rulesStep(upload, stored)],
        drift: drift.map(({ detail }) => detail),
      },
    })
  }
  const entities = orderByNeed(drafts).map(({ change }) => change)
  const changes = orderChanges(entities.flatMap(({ steps }) => steps.flatMap((step) => step.changes)))
  return { entities: withStatements(entities, changes, ddl, catalog), changes, problems }
}

interface Draft {
  readonly name: string
  readonly needs: readonly string[]
  readonly change: EntityChange
}

async function planEntity(
  upload: UploadedEntity,
  stored: KnownEntity | undefined,
  drift: readonly Drift[],
  planner: PlannedSteps,
  planContext: PlanContext,
): Promise<void> {
  const { definition } = upload
  const { found, analysis } = planContext
  if (definition.adopted !== undefined || stored?.definition.adopted !== undefined) {
    await planAdopted(upload, stored, planner, planContext)
    return
  }
  const had = stored !== undefined && hasTable(stored.definition)
  const storedTable = had ? found.tables.get(stored.entity.name) : undefined
  if (!hasTable(definition)) {
    if (storedTable !== undefined) await planDroppedTable(storedTable, definition, planner, analysis)
    return
  }
  if (storedTable !== undefined && stored !== undefined) {
    refuseDrift(drift, definition, planner)
    if (stored.entity.name !== definition.name) planRenamedTable(storedTable, definition, planner, found)
    await planFields({ definition, stored: stored.definition, table: storedTable, planner, planContext })
    return
  }
  const foreign = tableNamed(definition.name, found)
  if (foreign !== undefined) {
    const isLikeOurs = foreign.id === definition.name && foreign.kind === 'table' && hasSystemColumns(foreign)
    if (isLikeOurs) await planTaken(definition, foreign, planner, planContext)
    else planner.refuse(foreignTable(definition, foreign))
    return
  }
  if (had) refuseDrift(drift, definition, planner)
  planner.add({
    kind: 'createTable',
    description: `Create the table "${definition.name}".`,
    changes: [{ kind: 'createTable', table: definition.name, spec: tableSpecOf(definition) }],
    rows: 'There are no rows yet.',
  })
}

function tableNamed(name: string, { tables }: DatabaseSchema): Table | undefined {
  const lowerCase = name.toLowerCase()
  return tables.get(name) ?? [...tables.values()].find((table) => table.name.toLowerCase() === lowerCase)
}

function foreignTable({ name }: EntityDefinition, table: Table): PlanProblem {
  const detail = `The database has a ${table.kind} "${table.name}" already that no entity definition made. Adopt it, or choose another name than "${name}"; /graphql serves it as it is.`
  return { pointer: '/name', detail, isAllowable: false }
}

async function planDroppedTable(
  { name }: Table,
  definition: EntityDefinition,
  planner: PlannedSteps,
  analysis: TableAnalysis,
): Promise<void> {
  const rows = await analysis.rows(name)
  planner.add(dropTableStep(name, rows))
  if (rows === 0) return
  const flag = definition.abstract ? 'abstract' : 'persistence'
  const detail = `The entity would lose its table "${name}" with ${rowsText(rows)}.`
  planner.refuse(destructive(`/${flag}`, detail))
}

function planRenamedTable(
  table: Table,
  { name }: EntityDefinition,
  planner: PlannedSteps,
  found: DatabaseSchema,
): void {
  const other = tableNamed(name, found)
  if (other !== undefined && other.name !== table.name) {
    const detail = `The database has a ${other.kind} "${other.name}" already. Choose another name.`
    planner.refuse({ pointer: '/name', detail, isAllowable: false })
    return
  }
  planner.add({
    kind: 'renameTable',
    description: `Rename the table "${table.name}" to "${name}".`,
    changes: [{ kind: 'renameTable', table: table.name, to: name }],
    rows: 'Rows stay as they are.',
  })
}

/** Columns that other programs have added stay; any other difference needs a decision. */
function refuseDrift(drift: readonly Drift[], { fields }: EntityDefinition, planner: PlannedSteps): void {
  for (const { kind, column, detail } of drift) {
    if (kind === 'extraColumn') continue
    const field = fields.find(({ name }) => name === column)
    planner.refuse(
      destructive(
        field?.pointer ?? '',
        `The table was changed by something else than an upload. ${detail}`,
        'make the table follow the definition again',
      ),
    )
  }
}

function rulesStep({ json, definition }: UploadedEntity, stored: KnownEntity | undefined): ChangeStep {
  const step = {
    changes: [],
    statements: [],
    rows: 'Rows stay as they are.',
    rowCount: 0,
    isDestructive: false,
    isUndoable: true,
    effort: { table: 'instant', blocks: 'nothing' },
  } as const
  if (stored !== undefined && isDeepStrictEqual(json, stored.entity.definition)) {
    return { ...step, kind: 'none', description: 'Nothing changes.' }
  }
  const description = hasTable(definition)
    ? 'Apply the changed rules; the table does not change.'
    : 'Store the definition; it has no table.'
  return { ...step, kind: 'changeRules', description }
}

/** Adds the statements to each step; those for several steps together belong to the first of them. */
function withStatements(
  entities: readonly EntityChange[],
  changes: readonly TableChange[],
  ddl: Ddl,
  catalog: TableCatalog,
): readonly EntityChange[] {
  const made = ddl.changeTables(changes, catalog)
  const own = new Map(
    changes.map((change, index) => [change, made.filter((step) => step.changes[0] === index)]),
  )
  return entities.map((entity) => ({
    ...entity,
    steps: entity.steps.map((step) => ({
      ...step,
      statements: step.changes.flatMap((change) =>
        (own.get(change) ?? []).flatMap(({ statements }) => statements),
      ),
    })),
  }))
}
