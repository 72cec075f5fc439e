/** `/manage/entities`: uploading, planning, showing and removing entity definitions. */
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { namedPageParameters, readPage } from '../../access/administration/list-page.ts'
import { oneOf, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { adoptTables, planAdoption } from '../../entity/adopt/adopt-tables.ts'
import { isPublished } from '../../entity/definition/entity-definition.ts'
import { type KnownEntity, readStoredEntities } from '../../entity/definition/stored-definition.ts'
import type { EntityParts } from '../../entity/entity-parts.ts'
import type { ChangePlan, ChangeStep } from '../../entity/plan/change-plan.ts'
import { findDrift } from '../../entity/plan/find-drift.ts'
import {
  applyEntityDefinitions,
  planEntityDefinitions,
} from '../../entity/upload/apply-entity-definitions.ts'
import {
  planRemoval,
  type RemovalPlan,
  removeEntity,
  unknownEntity,
} from '../../entity/upload/remove-entity.ts'
import type { Route } from '../../http/routes.ts'
import type { PageRequest } from '../../store/page-request.ts'
import { actorOf } from '../protect.ts'
import type { ConditionsGap } from '../rights/conditions-gaps.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'

export interface EntityRouteParts extends EntityParts {
  /** Resolves when the changed definitions are served. */
  readonly schemaChanged: () => Promise<void>
  /** Says later which conditions on records fit an entity no longer, and did when it was called. */
  readonly watchConditions?: () => () => Promise<readonly ConditionsGap[]>
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl?: string
}

/** What is told of gaps with an entity. */
function warningsOf(
  { definition: { name } }: KnownEntity,
  gaps: ReadonlyMap<string, readonly ConditionsGap[] | undefined>,
): { readonly warnings?: readonly string[] } {
  const warnings = gaps.get(name)?.map(({ reason }) => reason)
  return warnings === undefined ? {} : { warnings }
}

/** A switch in the query of a request; without a value it is on. */
const flag = v.pipe(
  v.optional(oneOf(['true', 'false', '']), 'false'),
  v.transform((text) => text !== 'false'),
)
/** The query of the list of entities. */
export const entityListQuery = strictObject({
  ...namedPageParameters,
  definition: v.pipe(
    v.optional(oneOf(['true', 'false']), 'true'),
    v.description('Whether the definitions are in the list; without them it is short.'),
  ),
})
const plan = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(100),
    v.description(
      'The hash of a plan, by dry_run: only this plan is carried out, otherwise the response is 412.',
    ),
  ),
)
export const uploadQuery = strictObject({ dry_run: flag, allow_destructive: flag, plan })
export const adoptionQuery = strictObject({ dry_run: flag })
export const removalQuery = strictObject({ dry_run: flag, allow_destructive: flag, plan })

export function entityDefinitionRoutes(parts: EntityRouteParts): readonly Route[] {
  const { store, schemaChanged, watchConditions = () => async () => [], baseUrl = '' } = parts
  return [
    {
      path: '/manage/entities',
      bodySize: 'data',
      methods: {
        async GET(request, reply) {
          const { definition: isWhole, ...page } = readQuery(entityListQuery, request)
          const read = (wanted: PageRequest) =>
            store.read((connection) => store.entities.list(connection, wanted))
          const stored = await readPage(page, read, ({ name }) => name)
          const known = await readStoredEntities(stored.items)
          const items = isWhole === 'true' ? known.map(shownEntity) : known.map(shortEntity)
          return sendListPage(request, reply, { ...stored, items }, baseUrl)
        },
        async POST(request, reply) {
          const { body } = request
          const {
            dry_run: isDryRun,
            allow_destructive: allowDestructive,
            ...wanted
          } = readQuery(uploadQuery, request)
          const upload = { document: body, allowDestructive, ...wanted }
          if (isDryRun) return shownPlan(await planEntityDefinitions(upload, parts))
          const findGaps = watchConditions()
          const stored = await applyEntityDefinitions(upload, actorOf(request), parts)
          await schemaChanged()
          const gaps = Map.groupBy(await findGaps(), ({ entity }) => entity)
          const shown = (await readStoredEntities(stored)).map((entity) => ({
            ...shownEntity(entity),
            ...warningsOf(entity, gaps),
          }))
          const [first] = shown
          if (Array.isArray(body) || first === undefined) return reply.status(201).send(shown)
          return createdAt(reply, `${baseUrl}/manage/entities/${first.name}`, first)
        },
      },
    },
    { path: '/manage/drift', methods: { GET: async () => findDrift(parts) } },
    {
      path: '/manage/entities/adopt',
      bodySize: 'data',
      methods: {
        async POST(request, reply) {
          const { body } = request
          if (readQuery(adoptionQuery, request).dry_run) {
            const { uploads, warnings } = await planAdoption(body, parts)
            return uploads.map(({ definition, json, resource }) => ({
              name: definition.name,
              resource: isPublished(definition) ? `/apis/${resource}` : null,
              definition: json,
              warnings: warnings.get(definition.name) ?? [],
            }))
          }
          const adopted = await adoptTables(body, actorOf(request), parts)
          await schemaChanged()
          const known = await readStoredEntities(adopted.map(({ entity }) => entity))
          const shown = known.map((each, index) => ({
            ...shownEntity(each),
            warnings: adopted[index]?.warnings ?? [],
          }))
          return reply.status(201).send(shown)
        },
      },
    },
    {
      path: '/manage/entities/:name',
      methods: {
        async GET(request) {
          const name = parameterOf(request, 'name')
          const stored = await store.read((connection) => store.entities.find(connection, name))
          const [known] = await readStoredEntities(stored === undefined ? [] : [stored])
          if (known === undefined) throw unknownEntity(name)
          const drifted = (await findDrift(parts)).find((entity) => entity.name === name)
          return { ...shownEntity(known), drift: drifted?.drift ?? [] }
        },
        async DELETE(request, reply) {
          const name = parameterOf(request, 'name')
          const {
            dry_run: isDryRun,
            allow_destructive: allowDestructive,
            ...wanted
          } = readQuery(removalQuery, request)
          const removal = { name, allowDestructive, ...wanted }
          if (isDryRun) return shownRemoval(name, await planRemoval(removal, parts))
          await removeEntity(removal, actorOf(request), parts)
          await schemaChanged()
          return reply.status(204).send()
        },
      },
    },
  ]
}

function readQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  { query }: FastifyRequest,
): v.InferOutput<Schema> {
  return parseDocument(schema, { ...(query as object) }, 'PARAMETER_INVALID')
}

/** The uploaded definition, unchanged, with the gateway's data about it. */
function shownEntity({ entity, definition }: KnownEntity) {
  return {
    name: entity.name,
    /** The path of the published API; null if there is none. */
    resource: isPublished(definition) ? `/apis/${entity.resource}` : null,
    definition: entity.definition,
    changed_by: entity.changedBy,
    changed_at: entity.changedAt,
  }
}

/** The same, with a few facts in place of the definition. */
function shortEntity(known: KnownEntity) {
  const { definition: _, ...shown } = shownEntity(known)
  const { fields, adopted } = known.definition
  return { ...shown, field_count: fields.length, adopted: adopted !== undefined }
}

function shownPlan({ entities, problems, hash }: ChangePlan & { readonly hash: string }) {
  return {
    ...shownProblems(problems),
    hash,
    entities: entities.map(({ upload, storedName, steps, drift }) => ({
      name: upload.definition.name,
      ...(storedName !== undefined && storedName !== upload.definition.name && { renamed_from: storedName }),
      ...(drift.length > 0 && { drift }),
      steps: steps.map(shownStep),
    })),
  }
}

function shownRemoval(name: string, { steps, problems, hash }: RemovalPlan) {
  return { ...shownProblems(problems), hash, entities: [{ name, steps: steps.map(shownStep) }] }
}

function shownProblems(problems: ChangePlan['problems']) {
  return {
    /** Whether the same call with the same flags would succeed. */
    possible: problems.length === 0,
    problems: problems.map(({ pointer, detail, isAllowable }) => ({
      pointer,
      detail,
      allowed_by: isAllowable ? 'allow_destructive' : null,
    })),
  }
}

function shownStep(step: ChangeStep) {
  return {
    kind: step.kind,
    ...(step.field !== undefined && { field: step.field }),
    description: step.description,
    sql: step.statements.map((statement) => statement.sql),
    rows: step.rows,
    row_count: step.rowCount,
    destructive: step.isDestructive,
    undoable: step.isUndoable,
    table: step.effort.table,
    blocks: step.effort.blocks,
  }
}
