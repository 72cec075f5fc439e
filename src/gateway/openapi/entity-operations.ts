/** Entity definitions: uploading, planning, adopting, and their history. */
import * as v from 'valibot'
import { listOf } from '../../documents/document-schema.ts'
import { adoptionSchema } from '../../entity/adopt/adopt-tables.ts'
import { wholeDefinitionShape } from '../../entity/definition/definition-shape.ts'
import { adoptionQuery, entityListQuery, removalQuery, uploadQuery } from '../routes/entity-definitions.ts'
import { diffQuery } from '../routes/entity-versions.ts'
import { count, described, done, type OperationGroup, ok, page, text, time } from './operation.ts'

const definition = described(
  v.record(v.string(), v.unknown()),
  'The definition as it was uploaded; EntityDefinition says what it may hold.',
)
const resource = v.nullable(text('The path of its published API; null if there is none.', '/apis/ports'))
const sentences = (description: string) => described(v.array(v.string()), description)

const entityEntries = {
  name: v.string(),
  resource,
  definition,
  changed_by: text('Username of the last uploader.'),
  changed_at: time('When it was uploaded last.'),
}
const entity = v.object(entityEntries)
const listedEntity = v.object({
  ...entityEntries,
  definition: v.optional(definition),
  field_count: v.optional(count('How many fields it has; only without the definition.')),
  adopted: v.optional(described(v.boolean(), 'Whether its table was adopted; only without the definition.')),
})

const step = v.object({
  kind: text('What is done.', 'addColumn'),
  field: v.optional(v.string()),
  description: text('The same in a sentence.'),
  sql: sentences('The statements.'),
  rows: text('What happens to rows that exist, in a sentence.'),
  row_count: count('How many rows change or lose data.'),
  destructive: described(v.boolean(), 'Whether rows lose data.'),
  undoable: described(v.boolean(), 'Whether it can be undone without a loss.'),
  table: v.picklist(['instant', 'read', 'rewritten']),
  blocks: v.picklist(['nothing', 'writes', 'everything']),
})

const plan = v.object({
  hash: text('Of the plan: as the parameter `plan` it lets the same call carry out this plan only.'),
  possible: described(v.boolean(), 'Whether the same call with the same flags would succeed.'),
  problems: v.array(
    v.object({
      pointer: text('A JSON pointer into the upload; empty for a deletion.'),
      detail: v.string(),
      allowed_by: v.nullable(v.literal('allow_destructive')),
    }),
  ),
  entities: v.array(
    v.object({
      name: v.string(),
      renamed_from: v.optional(v.string()),
      drift: v.optional(v.array(v.string())),
      steps: v.array(step),
    }),
  ),
})

const warnings = sentences('What of the table is not served, or read-only.')
const adoption = v.object({ name: v.string(), resource, definition, warnings })
const adopted = v.object({ ...entityEntries, warnings })

const versionEntries = {
  version: v.pipe(v.number(), v.integer()),
  action: v.picklist(['created', 'changed', 'deleted']),
  changed_by: v.string(),
  changed_at: time('When it was uploaded.'),
  summary: sentences('The differences from the version before, a few words each.'),
}
const version = v.object(versionEntries)
const wholeVersion = v.object({
  name: v.string(),
  ...versionEntries,
  definition: described(v.nullable(v.record(v.string(), v.unknown())), 'Null if the entity was deleted.'),
})
const difference = v.object({
  from: v.pipe(v.number(), v.integer()),
  to: v.pipe(v.number(), v.integer()),
  changes: v.array(
    v.object({
      kind: v.picklist(['added', 'removed', 'changed']),
      pointer: text('A JSON pointer into the later version; of what was removed, into the earlier one.'),
      field: v.optional(v.string()),
      from: v.optional(v.unknown()),
      to: v.optional(v.unknown()),
    }),
  ),
})
const drifted = v.object({ name: v.string(), drift: sentences('How the table differs from the definition.') })

export const entityOperations: OperationGroup = {
  tag: 'Entities',
  schemas: {
    Entity: entity,
    EntityListed: listedEntity,
    EntityDefinition: wholeDefinitionShape,
    EntityPlan: plan,
    EntityStep: step,
    EntityAdopted: adopted,
    EntityToAdopt: adoption,
    EntityVersion: version,
    EntityVersionDifference: difference,
    TablesToAdopt: adoptionSchema,
    DriftedEntity: drifted,
  },
  operations: {
    'GET /manage/entities': {
      id: 'listEntities',
      summary: 'Lists the entities, by name.',
      query: entityListQuery,
      responses: page(listedEntity, 'A page of entities.'),
    },
    'POST /manage/entities': {
      id: 'uploadEntities',
      summary: 'Creates or changes entities and their tables; all of an upload or nothing.',
      query: uploadQuery,
      body: v.union([wholeDefinitionShape, v.pipe(listOf(wholeDefinitionShape, 1000), v.minLength(1))]),
      responses: {
        ...ok(plan, 'With dry_run: what an upload would do.'),
        201: {
          description: 'The entity, or a list of them if a list was uploaded.',
          schema: v.union([entity, v.array(entity)]),
          headers: ['Location'],
        },
      },
    },
    'GET /manage/entities/:name': {
      id: 'getEntity',
      summary: 'Shows an entity.',
      responses: ok(
        v.object({ ...entityEntries, drift: drifted.entries.drift }),
        'The entity, and how its table differs from its definition.',
      ),
    },
    'DELETE /manage/entities/:name': {
      id: 'deleteEntity',
      summary: 'Deletes an entity and its table; of an adopted table only the definition.',
      query: removalQuery,
      responses: { ...ok(plan, 'With dry_run: what the deletion would do.'), ...done },
    },
    'POST /manage/entities/adopt': {
      id: 'adoptTables',
      summary: 'Makes entities of existing tables, which stay as they are.',
      query: adoptionQuery,
      body: adoptionSchema,
      responses: {
        ...ok(v.array(adoption), 'With dry_run: the definitions that would be stored.'),
        201: { description: 'The new entities.', schema: v.array(adopted) },
      },
    },
    'GET /manage/drift': {
      id: 'listDrift',
      summary: 'Lists the entities whose tables differ from their definitions.',
      responses: ok(v.array(drifted), 'Those that differ.'),
    },
    'GET /manage/entities/:name/versions': {
      id: 'listEntityVersions',
      summary: 'Lists the versions of a definition, newest first.',
      responses: ok(v.array(version), 'All of them; those of a deleted entity, too.'),
    },
    'GET /manage/entities/:name/versions/:version': {
      id: 'getEntityVersion',
      summary: 'Shows a version of a definition.',
      responses: ok(wholeVersion, 'The version.'),
    },
    'GET /manage/entities/:name/versions/:version/diff': {
      id: 'compareEntityVersions',
      summary: 'Compares two versions of a definition; without `to`, a version with the one before.',
      query: diffQuery,
      responses: ok(difference, 'The differences.'),
    },
  },
}
