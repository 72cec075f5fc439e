/**
 * Everything derived from one introspection of the database, in one value that is replaced as a whole. A request takes
 * the current snapshot when it starts and keeps it until it ends.
 */
import type { ConfiguredNames } from '../config/chosen-names.ts'
import type { DatabaseSchema } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { SortOrder } from '../database/table-order.ts'
import type { ViewKey } from '../database/view-keys.ts'
import { GenerationalCache } from '../util/generational-cache.ts'
import { inSlices } from '../util/time-slices.ts'
import { defaultResponseLimits, type ResponseLimits } from './execution/response-limits.ts'
import { buildModel, type KnownNames } from './model/build-model.ts'
import type { GraphqlModel } from './model/model.ts'
import type { FieldNaming } from './model/naming.ts'
import { currentNames, partOfModel } from './model/part-of-model.ts'
import { type EntityRights, restrictModel } from './model/restrict-model.ts'
import type { Writes } from './model/writes.ts'
import { defaultOperationLimits, type OperationLimits } from './planning/operation-limits.ts'
import type { SchemaProfile } from './schema/build-schema.ts'
import { keptBytes, type SchemaView, ViewMaker } from './schema-view.ts'

/** Settings, not found in the database, that affect the schema and its use. */
export interface SchemaSettings {
  readonly limits: OperationLimits
  /** Default limits if absent. */
  readonly responseLimits?: ResponseLimits
  readonly naming: FieldNaming
  /** Names that the configuration chooses. */
  readonly names?: ConfiguredNames | undefined
  /** How texts in tables of other programs are sorted; `native` if absent. */
  readonly sortOrder?: SortOrder
  readonly viewKeys?: readonly ViewKey[]
  /** `default` if absent. */
  readonly profile?: SchemaProfile
}

/** The view of all entities, from which views of some entities are made. */
export interface SchemaSnapshot extends SchemaView {
  readonly databaseSchema: DatabaseSchema
  /** All entities, in the order of the model; always the same array. */
  readonly entityNames: readonly string[]
  /** The same, with the former names of entities: a right to a former name is a right to the entity. */
  readonly rightNames: readonly string[]
  /**
   * The view in which only these entities exist: others cannot be reached by name, reference, GlobalId, suggestion or
   * introspection. The most recently used views are cached.
   */
  only(names: readonly string[]): Promise<SchemaView>
  /**
   * The same for a caller who may read only some rows and fields of some of them. `shape` is a text that is the same for
   * all callers with the same view.
   */
  restricted(
    rights: ReadonlyMap<string, EntityRights>,
    shape: string,
    names?: readonly string[],
  ): Promise<SchemaView>
  /**
   * A view with the mutations of a caller, as far as its entities are in it; queries share what the view has prepared. `shape` is
   * a text that is the same for all callers with the same mutations.
   */
  writing(view: SchemaView, writes: Writes, shape: string): Promise<SchemaView>
}

/** A list without a size is limited to the same number of rows as one with a size. */
function responseLimitsOf({
  responseLimits = defaultResponseLimits,
  limits,
}: SchemaSettings): ResponseLimits {
  return { ...responseLimits, rows: Math.min(responseLimits.rows, limits.cost) }
}

/** A cached view of some entities, or the promise of it. */
interface KeptView {
  readonly view: Promise<SchemaView>
  readonly entities: number
}

/** How many views of some entities are cached, and how many entities they may have in total. */
const views = { count: 32, entities: 10_000 }

/** Derives everything from the introspected tables, in time slices. */
export async function snapshotOf(
  databaseSchema: DatabaseSchema,
  dialect: Dialect,
  settings: SchemaSettings = { limits: defaultOperationLimits, naming: 'verbatim' },
  known: KnownNames = {},
): Promise<SchemaSnapshot> {
  const { naming } = settings
  const responseLimits = responseLimitsOf(settings)
  const made = new ViewMaker(dialect, { ...settings, responseLimits })
  const named = { ...known, configured: settings.names }
  const model = await inSlices(buildModel(databaseSchema, naming, named))
  const whole = await made.view(model, keptBytes.whole)
  const { earlierNames } = whole.model
  const entityNames = [...whole.model.entities.keys()]
  const rightNames = earlierNames.size === 0 ? entityNames : [...entityNames, ...earlierNames.keys()]
  const all = entityNames.join()
  // Leaves room for a few views of nearly all entities, however many there are.
  const keptEntities = Math.max(views.entities, 4 * entityNames.length)
  const kept = new GenerationalCache<string, KeptView>(keptEntities, ({ entities }) =>
    Math.max(entities, keptEntities / views.count),
  )
  const cached = (key: string, names: readonly string[], model: () => GraphqlModel): Promise<SchemaView> => {
    const known = kept.get(key)
    if (known !== undefined) return known.view
    const view = made.view(model(), keptBytes.part)
    kept.set(key, { view, entities: names.length })
    return view
  }
  return {
    model: whole.model,
    graphqlSchema: whole.graphqlSchema,
    get sdl() {
      return whole.sdl
    },
    get sdlInJson() {
      return whole.sdlInJson
    },
    operations: whole.operations,
    responseLimits,
    databaseSchema,
    entityNames,
    rightNames,
    async only(allowed) {
      const names = currentNames(allowed, whole.model)
      const key = names.join()
      return key === all ? whole : cached(key, names, () => partOfModel(whole.model, names))
    },
    async restricted(rights, shape, allowed) {
      const names = allowed === undefined ? entityNames : currentNames(allowed, whole.model)
      return cached(`${names.join()} ${shape}`, names, () =>
        restrictModel(partOfModel(whole.model, names), rights),
      )
    },
    writing: (view, writes, shape) => made.writing(view, writes, shape),
  }
}
