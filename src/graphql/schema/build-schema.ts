/**
 * The GraphQL schema of a model: documents are validated against it, and clients see it. It has no resolvers;
 * operations are compiled to statements instead. For thousands of tables it takes long to build, so the functions here
 * yield to let other work run.
 */
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import type { EntityField, EntityType, GraphqlModel } from '../model/model.ts'
import {
  connectionTypeName,
  customNodeField,
  edgeTypeName,
  globalIdField,
  nodeField,
  objectTypeName,
} from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import { aggregateTypes } from './aggregate-types.ts'
import { describeColumn } from './describe-column.ts'
import { inputTypes, setListArguments } from './list-arguments.ts'
import { listedSchema } from './listed-schema.ts'
import { bareScalarsByName, genericScalar, scalarsByName } from './scalars.ts'
import { type SharedInputs, sharedInputs } from './where-types.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

interface SharedTypes {
  readonly profile: SchemaProfile
  /** The types of arguments; absent in a schema without additions. */
  readonly inputs: SharedInputs | undefined
  readonly node: GraphQLInterfaceType
  readonly customNode: GraphQLInterfaceType
  readonly pageInfo: GraphQLObjectType
}

interface EntityTypes {
  readonly object: GraphQLObjectType
  readonly connection: GraphQLObjectType
  /** What its lists have in a schema with additions. */
  readonly aggregates: readonly GraphQLNamedType[]
}

/** What a schema has: everything, or only what documents for the replaced system know. */
export type SchemaProfile = 'default' | 'seed'

export function* buildSchema(
  model: GraphqlModel,
  profile: SchemaProfile = 'default',
): Generator<void, GraphQLSchema, void> {
  const shared = sharedTypes(profile)
  const types = new Map<string, EntityTypes>()
  for (const entity of model.entities.values()) {
    types.set(entity.name, entityTypes(entity, types, shared))
    yield
  }
  const query = queryType(types, shared)
  const inputs = shared.inputs && (yield* inputTypes(model, shared.inputs))
  const first = [
    shared.pageInfo,
    // Variables may have these types without a field of them.
    ...[genericScalar.name, 'DateTime', 'Float', 'Int'].map((name) => scalarNamed(name, profile)),
  ]
  const added = [...types.values()].flatMap(({ aggregates }) => aggregates)
  const referenced = yield* referencedTypes([...first, query], added)
  const listed = [...referenced, ...added, ...(inputs?.all ?? [])]
  const schema = yield* listedSchema({
    description: descriptionOfNames(model),
    query,
    types: listed,
    nodeTypes: nodeTypesOf(model),
  })
  yield* setListArguments(schema, model, inputs?.byEntity)
  return schema
}

function queryType(types: ReadonlyMap<string, EntityTypes>, shared: SharedTypes): GraphQLObjectType {
  const id = { type: new GraphQLNonNull(GraphQLID), ...saidIn(shared.profile)('The id of the row.') }
  const globalId = { [globalIdField]: id }
  return new GraphQLObjectType({
    name: 'Query',
    ...saidIn(shared.profile)('What can be queried: the rows of each table, and single rows by their ids.'),
    fields: {
      [nodeField]: {
        type: shared.node,
        args: globalId,
        ...saidIn(shared.profile)('The row with this GlobalId, of any type.'),
      },
      ...(shared.profile === 'default' && {
        [customNodeField]: {
          type: shared.customNode,
          args: globalId,
          description: 'The same as `node`, by the interface that the types declare.',
        },
      }),
      ...Object.fromEntries(
        [...types].map(([name, { connection }]) => [
          name,
          { type: connection, ...saidIn(shared.profile)(`Rows of ${name}.`) },
        ]),
      ),
    },
  })
}

/**
 * All types that are reachable from `roots` without `known` ones, in the order in which graphql-js finds them. It
 * recurses, which would be too deep for thousands of tables that reference each other in a chain, and does not yield.
 */
function* referencedTypes(
  roots: readonly GraphQLNamedType[],
  known: readonly GraphQLNamedType[],
): Generator<void, GraphQLNamedType[], void> {
  const seen = new Set(known)
  const found: GraphQLNamedType[] = []
  const waiting = [...roots].reverse()
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) continue
    seen.add(type)
    found.push(type)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    const fields = Object.values(type.getFields())
    const next = [
      ...type.getInterfaces(),
      ...fields.flatMap((field) => [field.type, ...field.args.map((argument) => argument.type)]),
    ]
    for (const one of next.reverse()) waiting.push(getNamedType(one))
    yield
  }
  return found
}

/** The types of rows that `node` finds. */
export function nodeTypesOf({ entities }: GraphqlModel): ReadonlySet<string> {
  const withGlobalId = entities.values().filter(({ key }) => key.length > 0)
  return new Set(withGlobalId.map(({ name }) => objectTypeName(name)))
}

function sharedTypes(profile: SchemaProfile): SharedTypes {
  const globalId = { type: new GraphQLNonNull(GraphQLID) }
  const said = saidIn(profile)
  return {
    profile,
    inputs: profile === 'default' ? sharedInputs() : undefined,
    node: new GraphQLInterfaceType({
      name: 'Node',
      ...said('A row with an id.'),
      fields: {
        id: { ...globalId, ...said('The id of the row among those of all types.') },
        // The compiler of Relay looks here for the field that identifies rows.
        ...(profile === 'default' && {
          [globalIdField]: { ...globalId, description: 'The same, by the name that it has in the types.' },
        }),
      },
    }),
    customNode: new GraphQLInterfaceType({
      name: 'CustomNode',
      ...said('A row with an id.'),
      fields: { [globalIdField]: { ...globalId, ...said('The id of the row among those of all types.') } },
    }),
    pageInfo: new GraphQLObjectType({
      name: 'PageInfo',
      ...said('Where a page is in its list.'),
      fields: {
        hasNextPage: {
          type: new GraphQLNonNull(GraphQLBoolean),
          ...said('Whether there are rows after this page.'),
        },
        hasPreviousPage: {
          type: new GraphQLNonNull(GraphQLBoolean),
          ...said('Whether there are rows before this page.'),
        },
        startCursor: { type: GraphQLString, ...said('The cursor of the first row.') },
        endCursor: { type: GraphQLString, ...said('The cursor of the last row.') },
      },
    }),
  }
}

/** Descriptions, in a schema with additions. */
function saidIn(profile: SchemaProfile) {
  return (description: string) => (profile === 'default' ? { description } : {})
}

function entityTypes(
  entity: EntityType,
  types: ReadonlyMap<string, EntityTypes>,
  shared: SharedTypes,
): EntityTypes {
  const hasGlobalId = entity.key.length > 0
  const object = new GraphQLObjectType({
    name: objectTypeName(entity.name),
    description: descriptionOfEntity(entity, shared.profile),
    interfaces: hasGlobalId ? [shared.customNode] : [],
    fields: () => objectFields(entity, types, shared.profile),
  })
  const said = saidIn(shared.profile)
  const edge = new GraphQLObjectType({
    name: edgeTypeName(entity.name),
    ...said(`A row of ${entity.name} in a list.`),
    fields: {
      node: { type: object, ...said('The row.') },
      cursor: {
        type: new GraphQLNonNull(GraphQLString),
        ...said('Its position in the list, for `after` and `before`.'),
      },
    },
  })
  const { inputs } = shared
  const aggregates = inputs && aggregateTypes({ entity, inputs })
  const connection = new GraphQLObjectType({
    name: connectionTypeName(entity.name),
    ...said(`Rows of ${entity.name}, in pages.`),
    fields: {
      pageInfo: { type: new GraphQLNonNull(shared.pageInfo), ...said('Whether there are other pages.') },
      edges: { type: new GraphQLNonNull(new GraphQLList(edge)), ...said('The rows of this page.') },
      ...(shared.profile === 'default' && {
        totalCount: {
          type: new GraphQLNonNull(GraphQLInt),
          description: 'How many rows match, on all pages together.',
        },
      }),
      ...aggregates?.fields,
    },
  })
  return { object, connection, aggregates: aggregates?.all ?? [] }
}

function objectFields(
  entity: EntityType,
  types: ReadonlyMap<string, EntityTypes>,
  profile: SchemaProfile,
): Fields {
  const fields: Fields = {}
  const all = [...entity.fields.values()]
  for (const field of all)
    if (field.kind === 'scalar') {
      fields[field.name] = {
        type: scalarType(field, profile),
        description: descriptionOfColumn(field, profile),
      }
    }
  if (entity.key.length > 0)
    fields[globalIdField] = {
      type: new GraphQLNonNull(GraphQLID),
      description: profile === 'default' ? 'The id of the row among those of all types.' : null,
    }
  for (const field of all)
    if (field.kind !== 'scalar') fields[field.name] = relationField(field, types, profile)
  return fields
}

/** The comment of the table in the database; and its name, if that differs. */
function descriptionOfEntity({ name, table }: EntityType, profile: SchemaProfile): string | null {
  const origin =
    table.id === table.name
      ? `Table ${quoted(table.name)}.`
      : `Table ${quoted(table.name)} of the schema ${quoted(table.schema ?? '')}.`
  const told = described(table.comment, name === table.id ? undefined : origin)
  return told ?? (profile === 'default' ? `A row of ${name}.` : null)
}

function descriptionOfColumn(
  { name, column }: Extract<EntityField, { kind: 'scalar' }>,
  profile: SchemaProfile,
): string | null {
  const told = described(
    column.comment,
    name === column.name ? undefined : `Column ${quoted(column.name)}.`,
    column.type === 'binary' && profile === 'default' ? 'Bytes, in base64.' : undefined,
  )
  return told ?? (profile === 'default' ? describeColumn(column) : null)
}

/** The chosen names and what they are for; null if there are none. */
function descriptionOfNames({ entities }: GraphqlModel): string | null {
  const lines = [...entities.values()].flatMap(({ name, table, isChosen, fields }) => [
    ...(isChosen ? [`- ${name}: the table ${quoted(table.name)}`] : []),
    ...[...fields.values()].flatMap((field) =>
      field.isChosen ? [`- ${name}_.${field.name}: the ${describeField(field)}`] : [],
    ),
  ])
  return lines.length === 0 ? null : ['Names that were chosen:', ...lines].join('\n')
}

function describeField(field: EntityField): string {
  if (field.kind === 'scalar') return `column ${quoted(field.column.name)}`
  const { own, other } = field.link
  const columns = field.kind === 'reference' ? own : other
  const key = columns.map(({ name }) => quoted(name)).join(', ')
  return field.kind === 'reference' ? `row of ${field.target} by ${key}` : `rows of ${field.target} by ${key}`
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function described(...parts: readonly (string | undefined)[]): string | null {
  const given = parts.filter((part) => part !== undefined && part.trim() !== '')
  return given.length === 0 ? null : given.join('\n\n')
}

const quoted = (name: string) => JSON.stringify(name)

function scalarType(
  { column }: Extract<EntityField, { kind: 'scalar' }>,
  profile: SchemaProfile,
): GraphQLOutputType {
  const scalar = scalarNamed(scalarOfColumn[column.type], profile)
  return column.nullable ? scalar : new GraphQLNonNull(scalar)
}

function scalarNamed(name: string, profile: SchemaProfile): GraphQLScalarType {
  const scalar = (profile === 'default' ? scalarsByName : bareScalarsByName).get(name)
  invariant(scalar !== undefined, `${name} is a scalar`)
  return scalar
}

/** Without the arguments of a collection; see `setListArguments`. */
function relationField(
  field: Exclude<EntityField, { kind: 'scalar' }>,
  types: ReadonlyMap<string, EntityTypes>,
  profile: SchemaProfile,
): GraphQLFieldConfig<unknown, unknown> {
  const target = typesOf(field.target, types)
  return {
    type: field.kind === 'reference' ? target.object : target.connection,
    description: field.isChosen || profile === 'default' ? `${upperFirst(describeField(field))}.` : null,
  }
}

function typesOf(entity: string, types: ReadonlyMap<string, EntityTypes>): EntityTypes {
  const found = types.get(entity)
  invariant(found !== undefined, `${entity} has types`)
  return found
}
