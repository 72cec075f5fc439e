import { type GraphQLFieldMap, GraphQLObjectType, type GraphQLObjectTypeConfig } from 'graphql'

/** Whether a schema is being made from types that are all given to it. */
export interface Listing {
  isUnderWay: boolean
}

/**
 * An object type whose fields graphql-js does not look through while it makes the schema. It would look for types in them,
 * all at once; `listing` says when all types are given to it anyway.
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
