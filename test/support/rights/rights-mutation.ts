/** Random mutations of an account, and their documents. */
import type { PlainRow } from '../plain-evaluator.ts'
import type { PrintedQuery } from '../print-query.ts'
import type { Random } from '../random.ts'
import { randomPart, tagFor } from './check-writes.ts'
import { graphqlView, isChosen, matching, plainGrants } from './plain-rights.ts'
import { pathOf, type WriteMethod } from './plain-writes.ts'
import { ids12, type RightsBench, randomDocument } from './rights-bench.ts'
import type { WorldEntity } from './rights-world.ts'

export type Document = Readonly<Record<string, unknown>>

export interface RightsInput {
  readonly document: Document
  /** Records that are found or created in place of a field, by the names of relations. */
  readonly inPlace: ReadonlyMap<string, InPlace>
}

type InPlace = { readonly connect: { readonly id: string } } | { readonly create: Document }

/** A field of `Mutation`; `fields` are selected of the records that it shows. */
export type RightsMutation = { readonly entity: WorldEntity; readonly fields: readonly string[] } & (
  | { readonly kind: 'create' | 'createAll'; readonly inputs: readonly RightsInput[] }
  | { readonly kind: 'upsert'; readonly input: RightsInput; readonly id: string }
  | { readonly kind: 'update'; readonly address: Address; readonly input: RightsInput }
  | { readonly kind: 'delete'; readonly address: Address }
  | { readonly kind: 'updateAll'; readonly ids: Ids; readonly input: RightsInput }
  | { readonly kind: 'deleteAll'; readonly ids: Ids }
)

/** The identifiers that are listed as a condition; undefined for all records. */
type Ids = readonly string[] | undefined

interface Address {
  readonly id: string
  /** Given in place of the identifier. */
  readonly GlobalId: string | undefined
  readonly tag: { readonly kind: 'current' | 'other'; readonly text: string } | undefined
}

type Kind = RightsMutation['kind']

/** The kinds that need a right to a method. */
const kindsByMethod: readonly (readonly [WriteMethod, readonly Kind[]])[] = [
  ['POST', ['create', 'createAll']],
  ['PATCH', ['update', 'update', 'updateAll', 'upsert']],
  ['DELETE', ['delete', 'deleteAll']],
]

/** The mutations of an entity that the caller may have. */
function possibleKinds(entity: WorldEntity, { caller, world, state }: RightsBench): readonly Kind[] {
  if (graphqlView(caller, entity, world, state) === undefined) return []
  const [id] = ids12(entity)
  const paths = [pathOf({ entity }), pathOf({ entity, id })]
  return kindsByMethod.flatMap(([method, kinds]) =>
    paths.some((path) => matching(caller, method, path).length > 0) ? kinds : [],
  )
}

/** One of any entity, often one that the caller may have of a record that there is. Tags are those of the records as they are. */
export async function randomMutation(
  bench: RightsBench,
  random: Random,
  mayHaveTag: boolean,
): Promise<RightsMutation> {
  const { world, state, caller } = bench
  const possible = [...world.values()].filter((one) => possibleKinds(one, bench).length > 0)
  const isAny = possible.length === 0 || random.below(12) === 0
  const entity = random.pick(isAny ? [...world.values()] : possible)
  const view = graphqlView(caller, entity, world, state)
  const fields = [...(view?.fields ?? [])].filter((name) => name !== 'instance' && random.below(2) === 0)
  const rows = state.get(entity.name) ?? []
  const row = rows.length > 0 && random.below(10) > 0 ? random.pick(rows) : undefined
  const ids = random.below(4) === 0 ? undefined : ids12(entity).filter(() => random.below(5) === 0)
  const common = { entity, fields }
  const kind = random.pick(isAny ? kindsByMethod.flatMap(([, kinds]) => kinds) : possibleKinds(entity, bench))
  switch (kind) {
    case 'create':
    case 'createAll': {
      const length = kind === 'create' ? 1 : 1 + random.below(3)
      const inputs = Array.from({ length }, () => randomInput(bench, entity, random, undefined))
      // An identifier that the product makes is like no other.
      const areKnown = inputs.every(({ document }) => Object.hasOwn(document, 'id'))
      return { entity, fields: areKnown ? fields : fields.filter((name) => name !== 'id'), kind, inputs }
    }
    case 'upsert': {
      const { document, inPlace } = randomInput(
        bench,
        entity,
        random,
        random.below(2) === 0 ? row : undefined,
      )
      const id = String(row?.id ?? random.pick(ids12(entity)))
      return { ...common, kind, input: { document: { ...document, id }, inPlace }, id }
    }
    case 'update': {
      const address = await randomAddress(bench, entity, random, row, mayHaveTag ? 'PATCH' : undefined)
      return { ...common, kind, address, input: randomInput(bench, entity, random, row) }
    }
    case 'delete':
      return {
        ...common,
        kind,
        address: await randomAddress(bench, entity, random, row, mayHaveTag ? 'DELETE' : undefined),
      }
    case 'updateAll':
      return { ...common, kind, ids, input: randomInput(bench, entity, random, row) }
    case 'deleteAll':
      return { ...common, kind, ids }
  }
}

async function randomAddress(
  bench: RightsBench,
  entity: WorldEntity,
  random: Random,
  row: PlainRow | undefined,
  method: WriteMethod | undefined,
): Promise<Address> {
  const id = String(row?.id ?? random.pick(ids12(entity)))
  const isById = row !== undefined && random.below(3) === 0
  const GlobalId = isById ? bench.globalIdOf(entity.name, row.instance ?? null) : undefined
  const isTagged = method !== undefined && random.below(4) === 0
  const tag = isTagged ? await tagFor(bench, { method, entity, id }, random) : undefined
  return { id, GlobalId, tag }
}

/** With a record that is found or created in place of some fields that refer to one. */
function randomInput(
  bench: RightsBench,
  entity: WorldEntity,
  random: Random,
  row: PlainRow | undefined,
): RightsInput {
  const document = randomFields(bench, entity, random, row)
  const inPlace = new Map<string, InPlace>()
  for (const [relation, { kind, own, target }] of entity.relations) {
    const [field = ''] = own
    const other = bench.world.get(target) as WorldEntity
    if (kind !== 'reference' || !Object.hasOwn(document, field) || random.below(2) > 0) continue
    delete document[field]
    const id = random.pick(ids12(other))
    const create = () => ({ create: { ...randomFields(bench, other, random, undefined), id } })
    inPlace.set(relation, random.below(3) === 0 ? create() : { connect: { id } })
  }
  return { document, inPlace }
}

/** Mostly those that the schema of the caller has, and all that a new record needs and no right sets. */
function randomFields(
  bench: RightsBench,
  entity: WorldEntity,
  random: Random,
  row: PlainRow | undefined,
): Record<string, unknown> {
  const document: Record<string, unknown> = { ...randomPart(bench, entity, random, row) }
  const { caller, world, state } = bench
  if (random.below(8) === 0) return document
  const method = row === undefined ? 'POST' : 'PATCH'
  const path = pathOf({ entity, ...(row && { id: String(row.id) }) })
  const writers = plainGrants(matching(caller, method, path), entity, caller, world)
  const whole = randomDocument(entity, state, random)
  for (const name of Object.keys(document)) {
    if (!Object.hasOwn(whole, name) || !isChosen(name, writers)) delete document[name]
  }
  for (const { name, nullable, isSystem } of entity.columns.values()) {
    const isMissing = row === undefined && !nullable && isSystem !== true && !Object.hasOwn(document, name)
    const isLeftToRights = writers.some(({ set }) => set.has(name)) && random.below(2) === 0
    if (isMissing && !isLeftToRights && isChosen(name, writers)) document[name] = whole[name]
  }
  return document
}

/** The document of some mutations, with the response keys `m0`, `m1` and so on. */
export function printRightsMutations(mutations: readonly RightsMutation[]): PrintedQuery {
  const declarations: string[] = []
  const variables: Record<string, unknown> = {}
  const value = (given: unknown, type: string) => {
    const name = `v${declarations.length}`
    declarations.push(`$${name}: ${type}`)
    variables[name] = given
    return `$${name}`
  }
  const fields = mutations.map((mutation, index) => {
    const { kind, entity } = mutation
    const given = argumentsOf(mutation, value)
    const selected = `{ ${['__typename', ...mutation.fields].join(' ')} }`
    const isOfMany = kind === 'updateAll' || kind === 'deleteAll'
    return `m${index}: ${kind}_${entity.name}(${given}) ${isOfMany ? `{ count records ${selected} }` : selected}`
  })
  const header = declarations.length === 0 ? 'mutation' : `mutation (${declarations.join(', ')})`
  return { query: `${header} { ${fields.join(' ')} }`, variables }
}

type Print = (value: unknown, type: string) => string

function argumentsOf(mutation: RightsMutation, value: Print): string {
  const { entity, kind } = mutation
  const input = (given: RightsInput, type: 'Create' | 'Update') =>
    `input: ${value(inputOf(given), `${entity.name}_${type}Input!`)}`
  switch (kind) {
    case 'create':
      return mutation.inputs.map((one) => input(one, 'Create')).join()
    case 'createAll':
      return `inputs: ${value(mutation.inputs.map(inputOf), `[${entity.name}_CreateInput!]!`)}`
    case 'upsert':
      return input(mutation.input, 'Create')
    case 'update':
      return `${addressOf(mutation.address, value)}, ${input(mutation.input, 'Update')}`
    case 'delete':
      return addressOf(mutation.address, value)
    case 'updateAll':
      return `${whereOf(mutation.ids)}, ${input(mutation.input, 'Update')}`
    case 'deleteAll':
      return whereOf(mutation.ids)
  }
}

function addressOf({ id, GlobalId, tag }: Address, value: Print): string {
  const ifMatch = tag === undefined ? '' : `, ifMatch: ${value(tag.text, 'String')}`
  return `${GlobalId === undefined ? `id: ${value(id, 'String')}` : `GlobalId: ${value(GlobalId, 'ID')}`}${ifMatch}`
}

function whereOf(ids: Ids): string {
  return ids === undefined ? 'where: {}' : `where: {id: {in: ${JSON.stringify(ids)}}}`
}

function inputOf({ document, inPlace }: RightsInput): Document {
  return { ...document, ...Object.fromEntries(inPlace) }
}
