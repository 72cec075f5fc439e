import {
  type GraphQLFieldMap,
  type GraphQLInputFieldMap,
  GraphQLInputObjectType,
  type GraphQLInputObjectTypeConfig,
  GraphQLObjectType,
  type GraphQLObjectTypeConfig,
} from 'graphql'

/** Whether a schema is being built from a complete list of types. */
export interface Listing {
  isUnderWay: boolean
}

/**
 * An object type whose fields graphql-js does not traverse while it builds the schema, where it would look for types
 * without yielding; `listing` says when it is given all types anyway.
 */
export class ListedType extends GraphQLObjectType {
  readonly #listing: Listing

  constructor(config: GraphQLObjectTypeConfig<unknown, unknown>, listing: Listing) {
    super(config)
    this.#listing = listing
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#listing.isUnderWay ? {} : super.getFields()
  }
}

/** The same for an input type. */
export class ListedInput extends GraphQLInputObjectType {
  readonly #listing: Listing

  constructor(config: GraphQLInputObjectTypeConfig, listing: Listing) {
    super(config)
    this.#listing = listing
  }

  override getFields(): GraphQLInputFieldMap {
    return this.#listing.isUnderWay ? {} : super.getFields()
  }
}
