/** What clients see of a model: its schema, with or without mutations. */
import type { GraphQLSchema } from 'graphql'
import type { Dialect } from '../database/dialect.ts'
import { GenerationalCache } from '../util/generational-cache.ts'
import { inSlices } from '../util/time-slices.ts'
import type { ResponseLimits } from './execution/response-limits.ts'
import type { GraphqlModel } from './model/model.ts'
import type { Writes } from './model/writes.ts'
import type { OperationLimits } from './planning/operation-limits.ts'
import { OperationPreparer } from './planning/prepare-operation.ts'
import { buildSchema, type SchemaProfile } from './schema/build-schema.ts'
import { withMutations } from './schema/mutation-type.ts'
import { schemaInJson, schemaText } from './schema/print-schema.ts'

/** What clients see and operations run against. */
export interface SchemaView {
  readonly model: GraphqlModel
  readonly graphqlSchema: GraphQLSchema
  /** The schema as text, created anew each time. */
  readonly sdl: Promise<string>
  /** What `GET /graphql` responds with: `{"schema": SDL}`. Created on demand and kept. */
  readonly sdlInJson: Promise<Buffer>
  readonly operations: Pick<OperationPreparer, 'prepare'>
  readonly responseLimits: ResponseLimits
}

/** What all views have in common. */
export interface ViewSettings {
  readonly limits: OperationLimits
  readonly responseLimits: ResponseLimits
  /** `default` if absent. */
  readonly profile?: SchemaProfile
}

const megabyte = 1024 * 1024
/** How much memory parsed and compiled documents may each take: for all entities, and for each view of some or with mutations. */
export const keptBytes = { whole: 32 * megabyte, part: 4 * megabyte }
/** How many forms with mutations are cached of each view. */
const keptWriting = 32

/** Makes views, in time slices. */
export class ViewMaker {
  readonly #dialect: Dialect
  readonly #settings: ViewSettings
  readonly #writing = new WeakMap<SchemaView, GenerationalCache<string, Promise<SchemaView>>>()

  constructor(dialect: Dialect, settings: ViewSettings) {
    this.#dialect = dialect
    this.#settings = settings
  }

  /** A view without mutations. */
  async view(model: GraphqlModel, keptBytes: number): Promise<SchemaView> {
    const graphqlSchema = await inSlices(buildSchema(model, this.#settings.profile))
    return this.#viewOf(model, graphqlSchema, this.#preparer(graphqlSchema, model, keptBytes))
  }

  /** See `SchemaSnapshot.writing`. */
  async writing(view: SchemaView, given: Writes, shape: string): Promise<SchemaView> {
    if (given.size === 0 || this.#settings.profile === 'seed') return view
    const kept = this.#writing.get(view) ?? new GenerationalCache(keptWriting)
    this.#writing.set(view, kept)
    const known = kept.get(shape)
    if (known !== undefined) return known
    const writes = new Map([...given].filter(([name]) => view.model.entities.has(name)))
    const made = writes.size === 0 ? Promise.resolve(view) : this.#withMutations(view, writes)
    kept.set(shape, made)
    return made
  }

  /** Shares the types of the view, and its prepared queries: a document without the word `mutation` has none. */
  async #withMutations(
    { model, graphqlSchema, operations }: SchemaView,
    writes: Writes,
  ): Promise<SchemaView> {
    const writing = await inSlices(withMutations(graphqlSchema, model, writes))
    const mutations = this.#preparer(writing, model, keptBytes.part, writes)
    return this.#viewOf(model, writing, {
      prepare: (request) => (request.query.includes('mutation') ? mutations : operations).prepare(request),
    })
  }

  #preparer(
    schema: GraphQLSchema,
    model: GraphqlModel,
    keptBytes: number,
    writes?: Writes,
  ): OperationPreparer {
    const { limits, responseLimits } = this.#settings
    const settings = { limits, heldRows: responseLimits.heldRows, keptBytes, ...(writes && { writes }) }
    return new OperationPreparer(schema, model, this.#dialect, settings)
  }

  #viewOf(
    model: GraphqlModel,
    graphqlSchema: GraphQLSchema,
    operations: SchemaView['operations'],
  ): SchemaView {
    let inJson: Promise<Buffer> | undefined
    return {
      model,
      graphqlSchema,
      get sdl() {
        return inSlices(schemaText(graphqlSchema))
      },
      // Rarely requested, and slow to create for many tables.
      get sdlInJson() {
        inJson ??= inSlices(schemaInJson(graphqlSchema))
        return inJson
      },
      operations,
      responseLimits: this.#settings.responseLimits,
    }
  }
}
