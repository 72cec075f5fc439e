/** The arguments of lists. */
import {
  type GraphQLArgument,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
} from 'graphql'
import type { EntityType, GraphqlModel } from '../model/model.ts'
import { globalIdField, listArgumentNames, objectTypeName, typedArgumentName } from '../model/naming.ts'
import { usedComparisons } from './aggregate-types.ts'
import { argumentsOf } from './arguments-of.ts'
import { bareScalarsByName, genericScalar } from './scalars.ts'
import {
  comparisonOf,
  globalIdComparison,
  type SharedInputs,
  type TypedArguments,
  typedArguments,
} from './where-types.ts'

/** The types of typed arguments, as far as the entities use them. */
export function* inputTypes({ entities }: GraphqlModel, shared: SharedInputs) {
  const byEntity = new Map<string, TypedArguments>()
  const used = new Set<GraphQLNamedType>([shared.direction, shared.timeUnit])
  for (const entity of entities.values()) {
    byEntity.set(entity.name, typedArguments(entity, byEntity, shared))
    yield
  }
  // Not from the fields of the types, which are made when they are needed.
  for (const entity of entities.values()) {
    const { fields, key } = entity
    if (key.length > 0) used.add(shared.comparisonNamed(globalIdComparison))
    for (const field of fields.values())
      if (field.kind === 'scalar') used.add(shared.comparisonNamed(comparisonOf(field.column)))
    for (const name of usedComparisons(entity)) used.add(shared.comparisonNamed(name))
    yield
  }
  for (const type of [...used]) {
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) used.add(getNamedType(field.type))
  }
  for (const { where, listWhere, orderBy } of byEntity.values()) used.add(where).add(listWhere).add(orderBy)
  return { byEntity, all: [...used] }
}

/**
 * A collection has the same arguments as the root field of its entity. They are created once, because they are a third
 * of the schema, and last, because they contain no types that would have to be found.
 */
export function* setListArguments(
  schema: GraphQLSchema,
  { entities }: GraphqlModel,
  inputs: ReadonlyMap<string, TypedArguments> | undefined,
): Generator<void, void, void> {
  const roots = schema.getQueryType()?.getFields() ?? {}
  for (const entity of entities.values()) {
    const root = roots[entity.name]
    if (root !== undefined) root.args = listArguments(entity, inputs?.get(entity.name))
    yield
  }
  for (const { name, fields } of entities.values()) {
    const type = schema.getType(objectTypeName(name))
    if (!isObjectType(type)) continue
    const own = type.getFields()
    for (const field of fields.values()) {
      const [collection, root] = [own[field.name], field.kind === 'collection' && roots[field.target]]
      if (collection !== undefined && root)
        collection.args = inputs ? root.args : root.args.filter(({ name }) => pagingArguments.includes(name))
    }
    yield
  }
}

/** Those that collections have without additions. */
const pagingArguments: readonly string[] = ['before', 'after', 'first', 'last']

/** The arguments of every list: equality by field, then those of `listArgumentNames`, then typed ones. */
function listArguments(entity: EntityType, typed: TypedArguments | undefined): GraphQLArgument[] {
  const fieldNames = [...entity.filterable.columns.keys(), ...(entity.key.length > 0 ? [globalIdField] : [])]
  const inProfile = ({ type, description }: ListArgument): ListArgument =>
    typed === undefined ? { type: withoutDescription(type), description: undefined } : { type, description }
  const named = new Map<string, ListArgument>(
    fieldNames.map((name) => [name, inProfile({ type: genericScalar, description: equality })]),
  )
  for (const name of listArgumentNames) named.set(name, inProfile(listArgumentTypes[name]))
  if (typed !== undefined) {
    const isField = (name: string) => entity.filterable.columns.has(name)
    named.set(typedArgumentName('where', isField), {
      type: typed.where,
      description:
        'Only rows that meet these conditions. Example: {name: {startsWith: "a"}, not: {id: {in: ["a1", "a2"]}}}',
    })
    named.set(typedArgumentName('orderBy', isField), {
      type: new GraphQLList(new GraphQLNonNull(typed.orderBy)),
      description:
        'What to sort by, before `asc` and `desc`: a list of objects with one field each. Example: [{name: ASC}, {id: DESC}]',
    })
  }
  return argumentsOf(named)
}

function withoutDescription(type: GraphQLInputType): GraphQLInputType {
  return (isScalarType(type) && bareScalarsByName.get(type.name)) || type
}

interface ListArgument {
  readonly type: GraphQLInputType
  /** Undefined in schemas without additions. */
  readonly description: string | undefined
}

const equality = 'This value, or one of a list; null is no value. Example: ["a", "b"]'

const listOfText = new GraphQLList(GraphQLString)

const listArgumentTypes: Readonly<
  Record<(typeof listArgumentNames)[number], ListArgument & { readonly description: string }>
> = {
  offset: { type: GraphQLInt, description: 'How many rows of the sorted list to skip.' },
  limit: {
    type: GraphQLInt,
    description: 'How many rows of the sorted list to use at most; then it is paged.',
  },
  asc: {
    type: listOfText,
    description: 'Fields to sort by, from the lowest value; also paths through references: "tenant.name".',
  },
  desc: { type: listOfText, description: 'Fields to sort by, after those of `asc`, from the highest value.' },
  filters: {
    type: genericScalar,
    description:
      'A list of conditions {key, op, val} that are all met; a list inside it is a group of which one is met. op is one of ==, !=, <, <=, >, >=, between, in, not in, isnull, starts, ends, contains, iequals, istarts, iends, icontains; some, every, none for collections. Example: [{key: "name", op: "starts", val: "a"}]',
  },
  before: { type: GraphQLString, description: 'Only rows before this cursor.' },
  after: { type: GraphQLString, description: 'Only rows after this cursor.' },
  first: { type: GraphQLInt, description: 'How many rows to return at most, from the start.' },
  last: { type: GraphQLInt, description: 'How many rows to return at most, from the end.' },
}
