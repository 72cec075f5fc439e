/**
 * Everything derived from one look at the database, in one value that is replaced whole. A request
 * takes the current one at its start and keeps it to its end.
 */
import type { GraphQLSchema } from 'graphql'
import type { ConfiguredNames } from '../config/chosen-names.ts'
import type { DatabaseSchema } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { SortOrder } from '../database/table-order.ts'
import type { ViewKey } from '../database/view-keys.ts'
import { LruCache } from '../util/lru-cache.ts'
import { inSlices } from '../util/time-slices.ts'
import { defaultResponseLimits, type ResponseLimits } from './execution/response-limits.ts'
import { buildModel, type KnownNames } from './model/build-model.ts'
import type { GraphqlModel } from './model/model.ts'
import type { FieldNaming } from './model/naming.ts'
import { partOfModel } from './model/part-of-model.ts'
import { defaultOperationLimits, type OperationLimits } from './planning/operation-limits.ts'
import { OperationPreparer } from './planning/prepare-operation.ts'
import { buildSchema } from './schema/build-schema.ts'
import { schemaText } from './schema/print-schema.ts'

/** What is not in the database, and decides about the schema and its use. */
export interface SchemaSettings {
  readonly limits: OperationLimits
  /** The default ones where they are not given. */
  readonly responseLimits?: ResponseLimits
  readonly naming: FieldNaming
  /** Names that the configuration chooses. */
  readonly names?: ConfiguredNames | undefined
  /** How the tables that others made are sorted; `native` where it is not given. */
  readonly sortOrder?: SortOrder
  readonly viewKeys?: readonly ViewKey[]
}

/** What clients see and operations run against. */
export interface SchemaView {
  readonly model: GraphqlModel
  readonly graphqlSchema: GraphQLSchema
  /** The schema as `GET /graphql` shows it; made when it is asked for. */
  readonly sdl: Promise<string>
  readonly operations: OperationPreparer
  readonly responseLimits: ResponseLimits
}

/** The view of all entities, and the way to those of some. */
export interface SchemaSnapshot extends SchemaView {
  readonly databaseSchema: DatabaseSchema
  /** All entities, in the order of the model; the same list as long as the snapshot is. */
  readonly entityNames: readonly string[]
  /** The same, with the names that entities had before: rights to those are rights to the entities. */
  readonly rightNames: readonly string[]
  /**
   * The view in which other entities than these do not exist: neither by name nor by reference, GlobalId,
   * suggestion or introspection. The views that were used last are kept.
   */
  only(names: readonly string[]): Promise<SchemaView>
}

/** Who leaves out the size of a list gets no more rows than those who say it. */
function answerLimitsOf({ responseLimits = defaultResponseLimits, limits }: SchemaSettings): ResponseLimits {
  return { ...responseLimits, rows: Math.min(responseLimits.rows, limits.cost) }
}

/** Each once, by the names that they have now. */
function currentNames(
  names: readonly string[],
  earlierNames: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set(names.map((name) => earlierNames.get(name) ?? name))]
}

/** A view of some entities, or the making of it. */
interface KeptView {
  readonly view: Promise<SchemaView>
  readonly entities: number
}

const megabyte = 1024 * 1024
/** How much memory is for documents that are kept, parsed and again compiled: for all entities, and for each view of some. */
const keptBytes = { whole: 32 * megabyte, part: 4 * megabyte }
/** How many views of some are kept, and how many entities these have together at most. */
const views = { count: 32, entities: 10_000 }

/** Derives everything from the tables that were found, in time slices. */
export async function snapshotOf(
  databaseSchema: DatabaseSchema,
  dialect: Dialect,
  settings: SchemaSettings = { limits: defaultOperationLimits, naming: 'verbatim' },
  known: KnownNames = {},
): Promise<SchemaSnapshot> {
  const { limits, naming } = settings
  const responseLimits = answerLimitsOf(settings)
  const view = async (model: GraphqlModel, keptBytes: number): Promise<SchemaView> => {
    const graphqlSchema = await inSlices(buildSchema(model))
    const operations = new OperationPreparer(graphqlSchema, model, dialect, {
      limits,
      heldRows: responseLimits.heldRows,
      keptBytes,
    })
    let text: Promise<string> | undefined
    return {
      model,
      graphqlSchema,
      // Few ask for it, and it takes long where there are many tables.
      get sdl() {
        text ??= inSlices(schemaText(graphqlSchema))
        return text
      },
      operations,
      responseLimits,
    }
  }
  const named = { ...known, configured: settings.names }
  const whole = await view(await inSlices(buildModel(databaseSchema, naming, named)), keptBytes.whole)
  const { earlierNames } = whole.model
  const entityNames = [...whole.model.entities.keys()]
  const rightNames = earlierNames.size === 0 ? entityNames : [...entityNames, ...earlierNames.keys()]
  const all = entityNames.join()
  // However many entities there are, some views of nearly all of them are kept.
  const keptEntities = Math.max(views.entities, 4 * entityNames.length)
  const kept = new LruCache<string, KeptView>(keptEntities, ({ entities }) =>
    Math.max(entities, keptEntities / views.count),
  )
  return {
    model: whole.model,
    graphqlSchema: whole.graphqlSchema,
    get sdl() {
      return whole.sdl
    },
    operations: whole.operations,
    responseLimits,
    databaseSchema,
    entityNames,
    rightNames,
    async only(allowed) {
      const names = earlierNames.size === 0 ? allowed : currentNames(allowed, earlierNames)
      const key = names.join()
      if (key === all) return whole
      const known = kept.get(key)
      if (known !== undefined) return known.view
      const part = view(partOfModel(whole.model, names), keptBytes.part)
      kept.set(key, { view: part, entities: names.length })
      return part
    },
  }
}
