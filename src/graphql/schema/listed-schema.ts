import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
} from 'graphql'
import { invariant } from '../../errors/invariant.ts'

/** What a schema consists of. */
interface SchemaConfig {
  readonly description?: string | null | undefined
  readonly query: GraphQLObjectType
  readonly mutation?: GraphQLObjectType
  /** All types but those of GraphQL itself, in their order. Their names are valid and differ. */
  readonly types: Iterable<GraphQLNamedType>
  /** The names of the types that `node` may return without declaring its interface. */
  readonly nodeTypes: ReadonlySet<string>
}

type TypeMap = ReturnType<GraphQLSchema['getTypeMap']>

interface Collected {
  readonly types: TypeMap
  readonly implementations: ReadonlyMap<string, GraphQLObjectType[]>
}

/**
 * A schema whose types are given. That of graphql-js looks for types in the fields of others: it recurses, which would
 * be too deep for thousands of tables that reference each other in a chain, and does not yield. Public methods are
 * replaced, and the type is not validated: that would take as long as building it.
 */
class ListedSchema extends GraphQLSchema {
  readonly #config: SchemaConfig
  readonly #collected: Collected

  constructor(config: SchemaConfig, { types, implementations }: Collected) {
    super({ description: config.description, assumeValid: true })
    this.#config = config
    const all: TypeMap = types
    for (const [name, type] of Object.entries(super.getTypeMap())) all[name] ??= type
    this.#collected = { types: all, implementations }
  }

  override getQueryType(): GraphQLObjectType {
    return this.#config.query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#config.mutation
  }

  override getTypeMap(): TypeMap {
    return this.#collected.types
  }

  override getImplementations({
    name,
  }: GraphQLInterfaceType): ReturnType<GraphQLSchema['getImplementations']> {
    return { objects: this.#collected.implementations.get(name) ?? [], interfaces: [] }
  }

  /**
   * `node` has the type `Node`, but a type whose `id` may be null cannot declare that interface. Documents may select
   * `... on Port_` nevertheless: only this check is relaxed, so that the printed schema stays true.
   */
  override isSubType(...[abstractType, maybeSubType]: Parameters<GraphQLSchema['isSubType']>): boolean {
    const isOfNode = abstractType.name === 'Node' && this.#config.nodeTypes.has(maybeSubType.name)
    return isOfNode || super.isSubType(abstractType, maybeSubType)
  }
}

/** Makes a schema in steps. */
export function* listedSchema(config: SchemaConfig): Generator<void, GraphQLSchema, void> {
  const types: TypeMap = Object.create(null)
  const implementations = new Map<string, GraphQLObjectType[]>()
  for (const type of config.types) {
    const known = types[type.name]
    invariant(known === undefined || known === type, `${type.name} is the name of one type`)
    if (known !== undefined) continue
    types[type.name] = type
    if (isObjectType(type)) {
      for (const { name } of type.getInterfaces()) {
        const all = implementations.get(name) ?? []
        implementations.set(name, all)
        all.push(type)
      }
    }
    yield
  }
  return new ListedSchema(config, { types, implementations })
}
