/**
 * The journey of an upload: parse all definitions, compare them with what exists, then change the tables and store the
 * definitions, all or nothing.
 */
import { AppError, toldMistakes } from '../../errors/app-error.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import type { UploadWork } from '../../store/upload-store.ts'
import { checkNames } from '../definition/check-names.ts'
import { checkReferences, checkReferrers } from '../definition/check-references.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import {
  assertTogether,
  auditOf,
  type Connections,
  type EntityParts,
  readBoth,
  type Uploader,
} from '../entity-parts.ts'
import type { ChangePlan, EntityChange } from '../plan/change-plan.ts'
import { finalFrom } from '../plan/order-changes.ts'
import { planChange } from '../plan/plan-change.ts'
import { assertPlan, planHashOf } from '../plan/plan-hash.ts'
import { renamesOf, replacedEntities } from '../plan/renames.ts'
import { analyzeTables } from '../plan/table-analysis.ts'
import { changeTables } from './change-tables.ts'
import { checkGivenNames } from './check-given-names.ts'
import { tablesOfEntities } from './entity-tables.ts'
import { readUpload, type UploadedEntity } from './read-upload.ts'

/** The raw upload: one definition or a list of them. */
export interface Upload {
  readonly document: unknown
  /** Whether rows may lose data. */
  readonly allowDestructive: boolean
  /** The hash of the only plan that may be carried out; absent for any. */
  readonly plan?: string | undefined
}

/** Carries out an upload; returns the stored entities in the same order. Throws PRECONDITION_FAILED for another plan. */
export async function applyEntityDefinitions(
  upload: Upload,
  uploader: Uploader,
  parts: EntityParts,
): Promise<readonly StoredEntity[]> {
  const stored = await changeTables(uploader, parts, async (connections) => {
    const { uploads, plan, known } = await prepare(upload, connections, parts)
    assertPlan(upload.plan, planHashOf(plan, known))
    if (plan.problems.length > 0) {
      const mistakes = plan.problems.map(({ pointer, detail }) => ({ pointer, detail }))
      throw new AppError('TABLE_CHANGE_REFUSED', { mistakes })
    }
    const work = workOf(plan, uploader, parts)
    const kept = new Map([...known, ...work.saved].map((entity) => [entity.name, entity]))
    return { work, result: uploads.flatMap(({ definition }) => kept.get(definition.name) ?? []) }
  })
  parts.observe({
    kind: 'EntitiesApplied',
    entities: stored.map(({ name }) => name),
    account: uploader.account,
    requestId: uploader.requestId,
  })
  return stored
}

/** What an upload would do, with the hash of the plan; nothing is changed. */
export async function planEntityDefinitions(
  upload: Upload,
  parts: EntityParts,
): Promise<ChangePlan & { readonly hash: string }> {
  return readBoth(parts, async (connections) => {
    const { plan, known } = await prepare(upload, connections, parts)
    return { ...plan, hash: planHashOf(plan, known) }
  })
}

interface Preparation {
  readonly uploads: readonly UploadedEntity[]
  readonly plan: ChangePlan
  readonly known: readonly StoredEntity[]
}

async function prepare(
  { document, allowDestructive }: Upload,
  { tables: connection, records }: Connections,
  { database, store, now, uuid }: EntityParts,
): Promise<Preparation> {
  const known = await store.entities.list(records)
  const resources = new Map(known.map(({ name, resource }) => [name, resource]))
  const { uploads, mistakes } = await readUpload(document, (entity) => resources.get(entity))
  // After many mistakes the client sends everything again: the rest is found then.
  if (mistakes.length > toldMistakes) throw new AppError('ENTITY_DEFINITION_INVALID', { mistakes })
  assertTogether(
    uploads.map(({ definition }) => definition),
    { store },
  )
  const knownEntities = await readStoredEntities(known)
  const replaced = replacedEntities(uploads, knownEntities)
  const gone = new Set(replaced.values())
  const others = knownEntities.filter((entity) => !gone.has(entity))
  const renamed = new Map(
    [...replaced].flatMap(([upload, { entity }]) =>
      entity.name === upload.definition.name ? [] : [[entity.name, upload]],
    ),
  )
  const all = [
    ...mistakes,
    ...checkNames(uploads, others),
    ...checkReferences(uploads, others),
    ...checkReferrers(uploads, others, renamed),
  ]
  if (all.length > 0) throw new AppError('ENTITY_DEFINITION_INVALID', { mistakes: all })
  const { dialect } = database
  const found = await dialect.introspect(connection)
  const given = await store.givenNames.read(records)
  const taken = checkGivenNames(uploads, knownEntities, given?.names, found)
  if (taken.length > 0) throw new AppError('NAME_TAKEN', { mistakes: taken })
  const plan = await planChange({
    uploads,
    storedFor: (upload) => replaced.get(upload),
    renames: renamesOf(uploads, replaced, found),
    found: tablesOfEntities(found, [
      ...others.map(({ definition }) => definition),
      ...uploads.map(({ definition }) => definition),
    ]),
    catalog: await dialect.readCatalog(connection),
    analysis: analyzeTables(connection, database),
    ddl: dialect.ddl,
    quote: dialect.syntax.quoteIdentifier,
    context: { now: now(), uuid },
    allowDestructive,
  })
  return { uploads, plan, known }
}

function workOf({ entities, changes }: ChangePlan, uploader: Uploader, parts: EntityParts): UploadWork {
  const changed = entities.filter(({ steps }) => steps.some(({ kind }) => kind !== 'none'))
  return {
    changes,
    finalFrom: finalFrom(changes),
    saved: changed.map(({ upload: { definition, json, resource } }) => ({
      name: definition.name,
      definition: json,
      resource,
      changedBy: uploader.account,
      changedAt: parts.now().toISOString(),
    })),
    removed: changed.flatMap(({ storedName, upload }) =>
      storedName === undefined || storedName === upload.definition.name
        ? []
        : [{ name: storedName, changedBy: uploader.account, changedAt: parts.now().toISOString() }],
    ),
    audit: changed.map(({ upload, storedName, steps }) =>
      auditOf(parts, uploader, {
        action: storedName === undefined ? 'created' : 'changed',
        name: upload.definition.name,
        detail: detailOf(storedName, upload.definition.name, steps),
      }),
    ),
  }
}

function detailOf(storedName: string | undefined, name: string, steps: EntityChange['steps']): string {
  // The audit stores short texts.
  const kinds = [...new Set(steps.map(({ kind }) => kind))].join(', ').slice(0, 180)
  return storedName === undefined || storedName === name ? kinds : `${kinds}, was ${storedName}`
}
