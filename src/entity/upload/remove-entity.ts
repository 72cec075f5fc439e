import type { TableChange } from '../../database/table-change.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import { hasTable } from '../definition/entity-definition.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import { auditOf, type Connections, type EntityParts, readBoth, type Uploader } from '../entity-parts.ts'
import type { ChangePlan, EntityChange } from '../plan/change-plan.ts'
import { assertPlan, hashOf } from '../plan/plan-hash.ts'
import { createPlanner, dropTableStep } from '../plan/planned-steps.ts'
import { analyzeTables } from '../plan/table-analysis.ts'
import { changeTables } from './change-tables.ts'

export interface EntityRemoval {
  readonly name: string
  /** Whether rows may be lost. */
  readonly allowDestructive: boolean
  /** The hash of the only plan that may be carried out; absent for any. */
  readonly plan?: string | undefined
}

/** What a removal would do, and what prevents it. */
export interface RemovalPlan extends Pick<ChangePlan, 'problems'>, Pick<EntityChange, 'steps'> {
  readonly hash: string
}

/**
 * Removes a definition and drops its table, together; refused if data would be lost or references left dangling. An
 * adopted table stays as it is. Throws PRECONDITION_FAILED for another plan.
 */
export async function removeEntity(
  { name, allowDestructive, plan }: EntityRemoval,
  uploader: Uploader,
  parts: EntityParts,
): Promise<void> {
  await changeTables(uploader, parts, async (connections) => {
    const effect = await effectOf(name, connections, parts)
    const { referring, rows, drops } = effect
    assertPlan(plan, hashOfRemoval(effect))
    if (referring.length > 0) throw new AppError('IN_USE', { detail: referredTo(name, referring) })
    if (rows > 0 && !allowDestructive) throw new AppError('IN_USE', { detail: stillHasRows(name, rows) })
    const audit = [auditOf(parts, uploader, { action: 'deleted', name, detail: '' })]
    const changes = drops ? [dropOf(name)] : []
    const removed = [{ name, changedBy: uploader.account, changedAt: parts.now().toISOString() }]
    return { work: { changes, finalFrom: 0, saved: [], removed, audit }, result: undefined }
  })
  const { account, requestId } = uploader
  parts.observe({ kind: 'RecordChanged', record: 'entity', change: 'deleted', name, account, requestId })
}

/** What a removal would do; nothing is changed. */
export async function planRemoval(
  { name, allowDestructive }: EntityRemoval,
  parts: EntityParts,
): Promise<RemovalPlan> {
  return readBoth(parts, async (connections) => {
    const { database } = parts
    const effect = await effectOf(name, connections, parts)
    const { referring, rows, drops } = effect
    const { dialect } = database
    const planner = createPlanner(dialect.ddl, allowDestructive)
    if (referring.length > 0) {
      planner.refuse({ pointer: '', detail: referredTo(name, referring), isAllowable: false })
    }
    if (rows > 0) planner.refuse({ pointer: '', detail: stillHasRows(name, rows), isAllowable: true })
    const changes = drops ? [dropOf(name)] : []
    if (drops) planner.add(dropTableStep(name, rows))
    planner.add({
      kind: 'deleteDefinition',
      description: 'Delete the definition; its versions stay.',
      changes: [],
      rows: drops ? '' : 'No table is dropped.',
    })
    const catalog = await dialect.readCatalog(connections.tables)
    const statements = dialect.ddl.changeTables(changes, catalog).flatMap((made) => made.statements)
    const steps = planner.steps.map((step) => (step.kind === 'dropTable' ? { ...step, statements } : step))
    return { steps, problems: planner.problems, hash: hashOfRemoval(effect) }
  })
}

/** What the removal of an entity meets. */
interface RemovalEffect {
  readonly entity: StoredEntity
  /** Entities and tables that refer to it. */
  readonly referring: readonly string[]
  /** How many rows are lost. */
  readonly rows: number
  /** Whether its table is dropped. */
  readonly drops: boolean
}

async function effectOf(
  name: string,
  { tables: connection, records }: Connections,
  { database, store }: EntityParts,
): Promise<RemovalEffect> {
  const entities = await readStoredEntities(await store.entities.list(records))
  const known = entities.find(({ entity }) => entity.name === name)
  if (known === undefined) throw unknownEntity(name)
  const { tables } = await database.dialect.introspect(connection)
  const isAdopted = known.definition.adopted !== undefined
  const referring = [
    ...entities
      .filter(({ definition }) => definition.fields.some(({ reference }) => reference?.entity === name))
      .map(({ entity }) => entity.name),
    ...(isAdopted ? [] : [...tables.values()])
      .filter(({ foreignKeys }) => foreignKeys.some(({ referencedTable }) => referencedTable === name))
      .map((table) => table.name),
  ].filter((other) => other !== name)
  const drops = hasTable(known.definition) && !isAdopted && tables.has(name)
  const rows = drops ? await analyzeTables(connection, database).rows(name) : 0
  return { entity: known.entity, referring: [...new Set(referring)], rows, drops }
}

function hashOfRemoval({ entity, referring, rows, drops }: RemovalEffect): string {
  return hashOf([entity.name, entity.definition, referring, rows, drops])
}

function dropOf(table: string): TableChange {
  return { kind: 'dropTable', table }
}

/** The error for a missing entity. */
export function unknownEntity(name: string): AppError {
  return new AppError('RECORD_NOT_FOUND', { detail: `There is no entity named "${name}".` })
}

function referredTo(name: string, others: readonly string[]): string {
  const list = others.map((other) => `"${other}"`).join(', ')
  return `"${name}" is referred to by ${list}. Delete what refers to it first.`
}

function stillHasRows(name: string, rows: number): string {
  const records = rows === 1 ? '1 record' : `${rows} records`
  return `"${name}" has ${records}, which would be lost. Add ?allow_destructive=true to delete the entity with its records.`
}
