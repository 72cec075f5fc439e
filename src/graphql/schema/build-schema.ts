/**
 * The GraphQL schema of a model: what documents are validated against and what clients are shown. It
 * has no resolvers; operations are compiled to statements instead.
 */
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
} from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import type { EntityField, EntityType, GraphqlModel } from '../model/model.ts'
import {
  connectionTypeName,
  customNodeField,
  edgeTypeName,
  globalIdField,
  listArgumentNames,
  nodeField,
  objectTypeName,
} from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import { genericScalar, scalarsByName } from './scalars.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

interface SharedTypes {
  readonly node: GraphQLInterfaceType
  readonly customNode: GraphQLInterfaceType
  readonly pageInfo: GraphQLObjectType
}

interface EntityTypes {
  readonly object: GraphQLObjectType
  readonly connection: GraphQLObjectType
}

export function buildSchema(model: GraphqlModel): GraphQLSchema {
  const shared = sharedTypes()
  const types = new Map<string, EntityTypes>()
  for (const entity of model.entities.values()) types.set(entity.name, entityTypes(entity, types, shared))
  const roots = [...model.entities.values()].map(
    (entity) => [entity.name, rootField(entity, typesOf(entity.name, types))] as const,
  )
  const globalId = { [globalIdField]: { type: new GraphQLNonNull(GraphQLID) } }
  const schema = new GraphQLSchema({
    // Names are chosen so that it is; finding that out would take as long as the rest.
    assumeValid: true,
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        [nodeField]: {
          type: shared.node,
          args: globalId,
          description: 'The row with this GlobalId, of any type.',
        },
        [customNodeField]: {
          type: shared.customNode,
          args: globalId,
          description: 'The same as `node`, by the interface that the types declare.',
        },
        ...Object.fromEntries(roots),
      },
    }),
    types: [shared.pageInfo, genericScalar, ...['DateTime'].flatMap((name) => scalarsByName.get(name) ?? [])],
  })
  shareListArguments(schema, model)
  return letNodeBeAnyEntity(schema, model)
}

/** What a collection takes is what the root field of its entity takes: made once, which is a third of the schema. */
function shareListArguments(schema: GraphQLSchema, model: GraphqlModel): void {
  const roots = schema.getQueryType()?.getFields() ?? {}
  for (const { name, fields } of model.entities.values()) {
    const type = schema.getType(objectTypeName(name))
    if (!isObjectType(type)) continue
    const own = type.getFields()
    for (const field of fields.values()) {
      const [collection, root] = [own[field.name], field.kind === 'collection' && roots[field.target]]
      if (collection !== undefined && root) collection.args = root.args
    }
  }
}

/**
 * `node` is typed `Node`, but a type whose `id` may be null cannot declare that interface. Documents may
 * still select `... on Port_` there: only this check is widened, so that what is printed stays true.
 */
function letNodeBeAnyEntity(schema: GraphQLSchema, model: GraphqlModel): GraphQLSchema {
  const withGlobalId = new Set<string>()
  for (const entity of model.entities.values())
    if (entity.key.length > 0) withGlobalId.add(objectTypeName(entity.name))
  const declared = schema.isSubType.bind(schema)
  schema.isSubType = (abstractType, maybeSubType) =>
    (abstractType.name === 'Node' && isObjectType(maybeSubType) && withGlobalId.has(maybeSubType.name)) ||
    declared(abstractType, maybeSubType)
  return schema
}

function sharedTypes(): SharedTypes {
  const globalId = { type: new GraphQLNonNull(GraphQLID) }
  return {
    node: new GraphQLInterfaceType({ name: 'Node', fields: { id: globalId } }),
    customNode: new GraphQLInterfaceType({ name: 'CustomNode', fields: { [globalIdField]: globalId } }),
    pageInfo: new GraphQLObjectType({
      name: 'PageInfo',
      fields: {
        hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
        hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
        startCursor: { type: GraphQLString },
        endCursor: { type: GraphQLString },
      },
    }),
  }
}

function entityTypes(
  entity: EntityType,
  types: ReadonlyMap<string, EntityTypes>,
  shared: SharedTypes,
): EntityTypes {
  const hasGlobalId = entity.key.length > 0
  const object = new GraphQLObjectType({
    name: objectTypeName(entity.name),
    description: descriptionOfEntity(entity),
    interfaces: hasGlobalId ? [shared.customNode] : [],
    fields: () => objectFields(entity, types),
  })
  const edge = new GraphQLObjectType({
    name: edgeTypeName(entity.name),
    fields: { node: { type: object }, cursor: { type: new GraphQLNonNull(GraphQLString) } },
  })
  const connection = new GraphQLObjectType({
    name: connectionTypeName(entity.name),
    fields: {
      pageInfo: { type: new GraphQLNonNull(shared.pageInfo) },
      edges: { type: new GraphQLNonNull(new GraphQLList(edge)) },
      totalCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description: 'How many rows match, on all pages together.',
      },
    },
  })
  return { object, connection }
}

function objectFields(entity: EntityType, types: ReadonlyMap<string, EntityTypes>): Fields {
  const fields: Fields = {}
  const all = [...entity.fields.values()]
  for (const field of all)
    if (field.kind === 'scalar') {
      fields[field.name] = { type: scalarType(field), description: descriptionOfColumn(field) }
    }
  if (entity.key.length > 0) fields[globalIdField] = { type: new GraphQLNonNull(GraphQLID) }
  for (const field of all) if (field.kind !== 'scalar') fields[field.name] = relationField(field, types)
  return fields
}

/** The database's own comment; and where the name is another one than in the database, that one. */
function descriptionOfEntity({ name, table }: EntityType): string | null {
  const origin =
    table.id === table.name
      ? `Table ${quoted(table.name)}.`
      : `Table ${quoted(table.name)} of the schema ${quoted(table.schema ?? '')}.`
  return described(table.comment, name === table.id ? undefined : origin)
}

function descriptionOfColumn({ name, column }: Extract<EntityField, { kind: 'scalar' }>): string | null {
  return described(column.comment, name === column.name ? undefined : `Column ${quoted(column.name)}.`)
}

function described(...parts: readonly (string | undefined)[]): string | null {
  const given = parts.filter((part) => part !== undefined && part.trim() !== '')
  return given.length === 0 ? null : given.join('\n\n')
}

const quoted = (name: string) => JSON.stringify(name)

function scalarType({ column }: Extract<EntityField, { kind: 'scalar' }>): GraphQLOutputType {
  const scalar = scalarsByName.get(scalarOfColumn[column.type])
  invariant(scalar !== undefined, `there is a scalar for columns of type ${column.type}`)
  return column.nullable ? scalar : new GraphQLNonNull(scalar)
}

/** Without the arguments of a collection; see `shareListArguments`. */
function relationField(
  field: Exclude<EntityField, { kind: 'scalar' }>,
  types: ReadonlyMap<string, EntityTypes>,
): GraphQLFieldConfig<unknown, unknown> {
  const target = typesOf(field.target, types)
  return { type: field.kind === 'reference' ? target.object : target.connection }
}

function typesOf(entity: string, types: ReadonlyMap<string, EntityTypes>): EntityTypes {
  const found = types.get(entity)
  invariant(found !== undefined, `${entity} has types`)
  return found
}

function rootField(entity: EntityType, { connection }: EntityTypes): GraphQLFieldConfig<unknown, unknown> {
  return { type: connection, args: listArguments(entity) }
}

/** What every list takes: equality by field, then the arguments of `listArgumentNames`. */
function listArguments(entity: EntityType): GraphQLFieldConfigArgumentMap {
  const fieldNames = [...entity.filterable.columns.keys(), ...(entity.key.length > 0 ? [globalIdField] : [])]
  const equality = fieldNames.map((name) => [name, { type: genericScalar }] as const)
  return {
    ...Object.fromEntries(equality),
    ...Object.fromEntries(listArgumentNames.map((name) => [name, { type: listArgumentTypes[name] }])),
  }
}

const listOfText = new GraphQLList(GraphQLString)

const listArgumentTypes = {
  offset: GraphQLInt,
  limit: GraphQLInt,
  asc: listOfText,
  desc: listOfText,
  filters: genericScalar,
  before: GraphQLString,
  after: GraphQLString,
  first: GraphQLInt,
  last: GraphQLInt,
} as const satisfies Record<(typeof listArgumentNames)[number], unknown>
