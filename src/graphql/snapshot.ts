/**
 * Everything derived from one look at the database, in one value that is replaced whole. A request
 * takes the current one at its start and keeps it to its end.
 */
import type { GraphQLSchema } from 'graphql'
import type { DatabaseSchema } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { LruCache } from '../util/lru-cache.ts'
import { inSlices } from '../util/time-slices.ts'
import { buildModel, type KnownNames } from './model/build-model.ts'
import type { GraphqlModel } from './model/model.ts'
import type { FieldNaming } from './model/naming.ts'
import { partOfModel } from './model/part-of-model.ts'
import { defaultOperationLimits, type OperationLimits } from './operation/operation-limits.ts'
import { OperationPreparer } from './operation/prepare-operation.ts'
import { type AnswerLimits, defaultAnswerLimits } from './response/answer-limits.ts'
import { buildSchema } from './schema/build-schema.ts'
import { schemaText } from './schema/print-schema.ts'

/** What is not in the database, and decides about the schema and its use. */
export interface SchemaSettings {
  readonly limits: OperationLimits
  /** The default ones where they are not given. */
  readonly answerLimits?: AnswerLimits
  readonly naming: FieldNaming
}

/** What clients see and operations run against. */
export interface SchemaView {
  readonly model: GraphqlModel
  readonly graphqlSchema: GraphQLSchema
  /** The schema as `GET /graphql` shows it; made when it is asked for. */
  readonly sdl: Promise<string>
  readonly operations: OperationPreparer
  readonly answerLimits: AnswerLimits
}

/** The view of all entities, and the way to those of some. */
export interface SchemaSnapshot extends SchemaView {
  readonly databaseSchema: DatabaseSchema
  /** All entities, in the order of the model; the same list as long as the snapshot is. */
  readonly entityNames: readonly string[]
  /**
   * The view in which other entities than these do not exist: neither by name nor by reference, GlobalId,
   * suggestion or introspection. The views that were used last are kept.
   */
  only(names: readonly string[]): Promise<SchemaView>
}

/** Who leaves out the size of a list gets no more rows than those who say it. */
function answerLimitsOf({ answerLimits = defaultAnswerLimits, limits }: SchemaSettings): AnswerLimits {
  return { ...answerLimits, rows: Math.min(answerLimits.rows, limits.cost) }
}

/** How many documents are kept compiled, for all entities and for each view of some. */
const documents = { whole: 1000, part: 50 }
const views = 32

/** Derives everything from the tables that were found, in time slices. */
export async function snapshotOf(
  databaseSchema: DatabaseSchema,
  dialect: Dialect,
  settings: SchemaSettings = { limits: defaultOperationLimits, naming: 'verbatim' },
  known: KnownNames = {},
): Promise<SchemaSnapshot> {
  const { limits, naming } = settings
  const answerLimits = answerLimitsOf(settings)
  const view = async (model: GraphqlModel, keptDocuments: number): Promise<SchemaView> => {
    const graphqlSchema = await inSlices(buildSchema(model))
    const operations = new OperationPreparer(graphqlSchema, model, dialect, {
      limits,
      heldRows: answerLimits.heldRows,
      keptDocuments,
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
      answerLimits,
    }
  }
  const whole = await view(await inSlices(buildModel(databaseSchema, naming, known)), documents.whole)
  const entityNames = [...whole.model.entities.keys()]
  const kept = new LruCache<string, Promise<SchemaView>>(views)
  return {
    model: whole.model,
    graphqlSchema: whole.graphqlSchema,
    get sdl() {
      return whole.sdl
    },
    operations: whole.operations,
    answerLimits,
    databaseSchema,
    entityNames,
    async only(names) {
      const key = names.join()
      if (key === entityNames.join()) return whole
      const known = kept.get(key)
      if (known !== undefined) return known
      const part = view(partOfModel(whole.model, names), documents.part)
      kept.set(key, part)
      return part
    },
  }
}
