/**
 * The upload journey: read all definitions, compare them with what is there, and in one transaction
 * change the tables and keep the definitions. All of an upload is done, or nothing.
 */
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { StoredEntity } from '../store/entity-store.ts'
import type { ChangePlan, EntityChange } from './change-plan.ts'
import { checkNames } from './check-names.ts'
import { checkReferences } from './check-references.ts'
import { assertTogether, auditEntity, countRows, type EntityParts, type Uploader } from './entity-parts.ts'
import { growingTables, planChange } from './plan-change.ts'
import { readUpload, type UploadedEntity } from './read-upload.ts'
import { readStoredEntities } from './stored-definition.ts'

/** Carries out an upload, one definition or a list of them; gives the stored entities in the order they came. */
export async function applyEntityDefinitions(
  document: unknown,
  uploader: Uploader,
  parts: EntityParts,
): Promise<readonly StoredEntity[]> {
  assertTogether(parts)
  const stored = await parts.database.driver.transaction(
    async (connection) => {
      const { uploads, plan, known } = await prepare(document, connection, parts)
      assertUndoable(plan, parts)
      for (const change of plan.entities) {
        for (const { statements } of change.steps) {
          for (const statement of statements) await connection.execute(statement)
        }
      }
      const kept = new Map(known.map((entity) => [entity.name, entity]))
      for (const change of plan.entities) {
        const { definition } = change.upload
        if (!isUnchanged(change)) kept.set(definition.name, await keep(change, connection, uploader, parts))
      }
      return uploads.flatMap(({ definition }) => kept.get(definition.name) ?? [])
    },
    { unlimited: true },
  )
  parts.observe({
    kind: 'EntitiesApplied',
    entities: stored.map(({ name }) => name),
    account: uploader.account,
    requestId: uploader.requestId,
  })
  return stored
}

/** What an upload would do; nothing is changed. */
export async function planEntityDefinitions(document: unknown, parts: EntityParts): Promise<ChangePlan> {
  assertTogether(parts)
  return parts.database.driver.read(async (connection) => (await prepare(document, connection, parts)).plan)
}

interface Preparation {
  readonly uploads: readonly UploadedEntity[]
  readonly plan: ChangePlan
  readonly known: readonly StoredEntity[]
}

async function prepare(
  document: unknown,
  connection: Connection,
  { database, store, now, uuid }: EntityParts,
): Promise<Preparation> {
  const stored = await store.entities.list(connection)
  const resources = new Map(stored.map(({ name, resource }) => [name, resource]))
  const { uploads, mistakes } = readUpload(document, (entity) => resources.get(entity))
  const names = new Set(uploads.map(({ definition }) => definition.name))
  const knownEntities = readStoredEntities(stored)
  const others = knownEntities.filter(({ entity }) => !names.has(entity.name))
  const all = [...mistakes, ...checkNames(uploads, others), ...checkReferences(uploads, others)]
  if (all.length > 0) throw new AppError('ENTITY_DEFINITION_INVALID', { mistakes: all })

  const found = await database.dialect.introspect(connection)
  const rowCounts = new Map<string, number>()
  for (const table of growingTables(uploads, found)) {
    rowCounts.set(table, await countRows(connection, database, table))
  }
  const { plan, mistakes: refusals } = planChange({
    uploads,
    known: new Map(knownEntities.map((known) => [known.entity.name, known])),
    found,
    rowCounts,
    ddl: database.dialect.ddl,
    context: { now: now(), uuid },
  })
  if (refusals.length > 0) throw new AppError('TABLE_CHANGE_REFUSED', { mistakes: refusals })
  return { uploads, plan, known: stored }
}

/** Where the database cannot take changes of tables back, half an upload could stay: there, tables are not changed. */
function assertUndoable(plan: ChangePlan, { database }: EntityParts): void {
  const changesTables = plan.entities.some(({ steps }) =>
    steps.some(({ statements }) => statements.length > 0),
  )
  if (database.dialect.ddl.transactional || !changesTables) return
  throw new AppError('TABLE_CHANGE_REFUSED', {
    detail:
      'This database cannot undo changes of tables, so that an upload could stay half done; uploads that change tables are refused on it. The tables it has are served in GraphQL.',
  })
}

function isUnchanged({ steps }: EntityChange): boolean {
  return steps.every(({ kind }) => kind === 'none')
}

async function keep(
  { upload, known, steps }: EntityChange,
  connection: Connection,
  uploader: Uploader,
  parts: EntityParts,
): Promise<StoredEntity> {
  const { json, resource, definition } = upload
  const { name } = definition
  const changedAt = parts.now().toISOString()
  const entity = { name, definition: json, resource, changedBy: uploader.account, changedAt }
  await parts.store.entities.save(connection, entity)
  await auditEntity(connection, parts, uploader, {
    action: known ? 'changed' : 'created',
    name,
    detail: [...new Set(steps.map(({ kind }) => kind))].join(', '),
  })
  return entity
}
