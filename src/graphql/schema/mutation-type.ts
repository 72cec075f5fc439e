/** The schema of a caller who may write: that of its queries, and the type `Mutation`. */
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  isInputType,
  isObjectType,
} from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import type { GraphqlModel } from '../model/model.ts'
import {
  changesTypeName,
  globalIdField,
  keyArgument,
  objectTypeName,
  type WriteKind,
  whereTypeName,
  writeFieldName,
} from '../model/naming.ts'
import { type EntityWrites, kindsOf, type Writes } from '../model/writes.ts'
import { argumentsOf } from './arguments-of.ts'
import { nodeTypesOf } from './build-schema.ts'
import { scalarOf, type WriteInputs, writeInputs } from './input-types.ts'
import { listedSchema } from './listed-schema.ts'

type Field = GraphQLFieldConfig<unknown, unknown>

/** `schema` was built of the model, and stays as it is. In time slices. */
export function* withMutations(
  schema: GraphQLSchema,
  model: GraphqlModel,
  writes: Writes,
): Generator<void, GraphQLSchema, void> {
  const { byEntity: inputs, ofReferences } = yield* writeInputs(model, writes)
  const fields: GraphQLFieldConfigMap<unknown, unknown> = {}
  const argumentsByField = new Map<string, GraphQLFieldConfigArgumentMap>()
  const types: GraphQLNamedType[] = [...ofReferences]
  for (const [name, entity] of writes) {
    const own = typesOf(name, schema, inputs.get(name))
    const kinds = kindsOf(entity)
    for (const kind of kinds) {
      const { args = {}, ...field } = fieldOf(kind, name, entity, own)
      fields[writeFieldName(kind, name)] = field
      argumentsByField.set(writeFieldName(kind, name), args)
    }
    types.push(...[own.create, own.update].filter((type) => type !== undefined), ...own.enums)
    if (kinds.some((kind) => kind === 'updateAll' || kind === 'deleteAll')) types.push(own.changes)
    yield
  }
  const mutation = new GraphQLObjectType({
    name: 'Mutation',
    description: 'Changes of records. All of one operation are kept, or none.',
    fields,
  })
  yield
  for (const [name, field] of Object.entries(mutation.getFields())) {
    field.args = argumentsOf(Object.entries(argumentsByField.get(name) ?? {}))
    yield
  }
  const query = schema.getQueryType()
  invariant(query != null, 'each schema has queries')
  return yield* listedSchema({
    description: schema.description,
    query,
    mutation,
    types: [...Object.values(schema.getTypeMap()), mutation, ...types],
    nodeTypes: nodeTypesOf(model),
  })
}

interface OwnTypes extends WriteInputs {
  readonly object: GraphQLObjectType
  readonly where: GraphQLInputType
  readonly changes: GraphQLObjectType
}

function typesOf(name: string, schema: GraphQLSchema, inputs: WriteInputs | undefined): OwnTypes {
  const object = schema.getType(objectTypeName(name))
  const where = schema.getType(whereTypeName(name))
  invariant(isObjectType(object) && isInputType(where) && inputs !== undefined, `${name} has types`)
  const changes = new GraphQLObjectType({
    name: changesTypeName(name),
    description: `Records of ${name} that were changed or deleted.`,
    fields: {
      count: { type: new GraphQLNonNull(GraphQLInt), description: 'How many they are.' },
      records: {
        type: new GraphQLNonNull(new GraphQLList(object)),
        description: 'The records; null for one that the caller may not read.',
      },
    },
  })
  return { ...inputs, object, where, changes }
}

function fieldOf(kind: WriteKind, name: string, entity: EntityWrites, types: OwnTypes): Field {
  const { object, create, update, where, changes } = types
  const required = (type: GraphQLInputType | undefined, description: string) => {
    invariant(type !== undefined, 'a mutation has the inputs that it takes')
    return { type: new GraphQLNonNull(type), description }
  }
  const one = `The record, or null if the caller may not read it.`
  switch (kind) {
    case 'create':
      return {
        type: object,
        description: `Creates a record of ${name}. ${one}`,
        args: { input: required(create, 'The record.') },
      }
    case 'createAll':
      return {
        type: new GraphQLNonNull(new GraphQLList(object)),
        description: `Creates records of ${name}: all of them, or none. In the same order; null for one that the caller may not read.`,
        args: { inputs: required(create && new GraphQLList(new GraphQLNonNull(create)), 'The records.') },
      }
    case 'update':
      return {
        type: object,
        description: `Changes a record of ${name}. ${one}`,
        args: { ...keyArguments(entity), input: required(update, 'What changes.'), ifMatch },
      }
    case 'updateAll':
      return {
        type: new GraphQLNonNull(changes),
        description: `Changes all records of ${name} that meet conditions.`,
        args: {
          where: required(where, 'Which records; {} for all.'),
          input: required(update, 'What changes of each.'),
        },
      }
    case 'upsert':
      return {
        type: object,
        description: `Changes the record of ${name} with the key of the input, or creates it if there is none. ${one}`,
        args: { input: required(create, 'The record, with its key.') },
      }
    case 'delete':
      return {
        type: object,
        description: `Deletes a record of ${name}. ${one} It is as it was before.`,
        args: { ...keyArguments(entity), ifMatch },
      }
    case 'deleteAll':
      return {
        type: new GraphQLNonNull(changes),
        description: `Deletes all records of ${name} that meet conditions. They are as they were before.`,
        args: { where: required(where, 'Which records; {} for all.') },
      }
  }
}

const ifMatch = {
  type: GraphQLString,
  description:
    'The ETag of the record in its published API: if the record has changed since, nothing is done.',
}

/** What a record is found by: its GlobalId, or the fields of its key. */
function keyArguments({ entity, names }: EntityWrites): GraphQLFieldConfigArgumentMap {
  const { key, fields } = entity.rules
  const args: GraphQLFieldConfigArgumentMap = {
    [globalIdField]: { type: GraphQLID, description: 'The GlobalId of the record.' },
  }
  for (const name of key) {
    const rule = fields.get(name)
    invariant(rule !== undefined, 'a key has rules')
    const description = key.length === 1 ? 'Or its key.' : 'Or the fields of its key, all together.'
    args[keyArgument(names.get(name) ?? name)] = { type: scalarOf(rule), description }
  }
  return args
}
