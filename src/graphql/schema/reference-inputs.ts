import { GraphQLID, type GraphQLInputFieldConfigMap, GraphQLInputObjectType } from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import type { EntityType, GraphqlModel } from '../model/model.ts'
import { globalIdField, keyInputName, referenceInputName } from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import { keyFields } from '../model/written-references.ts'
import { describeColumn } from './describe-column.ts'
import { scalarsByName } from './scalars.ts'

/** The inputs that create or connect a record in place of a reference, each made when it is first needed. */
export class ReferenceInputs {
  readonly #model: GraphqlModel
  readonly #creating: ReadonlyMap<string, { readonly create: GraphQLInputObjectType | undefined }>
  readonly #byTarget = new Map<string, GraphQLInputObjectType>()
  readonly #keys: GraphQLInputObjectType[] = []

  /** `creating` has the inputs of new records when the fields of the types are asked for. */
  constructor(
    model: GraphqlModel,
    creating: ReadonlyMap<string, { readonly create: GraphQLInputObjectType | undefined }>,
  ) {
    this.#model = model
    this.#creating = creating
  }

  /** All that were needed. */
  get all(): readonly GraphQLInputObjectType[] {
    return [...this.#byTarget.values(), ...this.#keys]
  }

  /** The input of a reference to an entity. */
  to(target: string): GraphQLInputObjectType {
    const known = this.#byTarget.get(target)
    if (known !== undefined) return known
    const type = this.#model.entities.get(target)
    invariant(type !== undefined, 'a reference leads to an entity of the schema')
    const key = this.#keyInput(type)
    this.#keys.push(key)
    const made = new GraphQLInputObjectType({
      name: referenceInputName(target),
      description: `A record of ${target} to refer to: a new one, or one that is there.`,
      fields: () => {
        const create = this.#creating.get(target)?.create
        return {
          ...(create && { create: { type: create, description: 'Creates it.' } }),
          connect: { type: key, description: 'Finds it by its key.' },
        }
      },
    })
    this.#byTarget.set(target, made)
    return made
  }

  #keyInput(type: EntityType): GraphQLInputObjectType {
    return new GraphQLInputObjectType({
      name: keyInputName(type.name),
      description: `Finds one record of ${type.name}: by its GlobalId, or by all fields of one of its keys.`,
      fields: () => keyInputFields(type),
    })
  }
}

function keyInputFields(type: EntityType): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {}
  for (const [name, column] of keyFields(type)) {
    const scalar = scalarsByName.get(scalarOfColumn[column.type])
    invariant(scalar !== undefined, `there is a scalar for columns of type ${column.type}`)
    fields[name] = { type: scalar, description: describeColumn(column) }
  }
  if (type.key.length > 0)
    fields[globalIdField] = { type: GraphQLID, description: 'The GlobalId of the record.' }
  return fields
}
