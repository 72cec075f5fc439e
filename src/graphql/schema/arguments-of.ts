import type { GraphQLArgument, GraphQLInputType } from 'graphql'

/** The type of an argument, and what it means. */
export interface DescribedArgument {
  readonly type: GraphQLInputType
  readonly description?: string | null | undefined
}

/**
 * Arguments as a field of a type has them. For fields that get theirs later, in steps: graphql-js makes those of all
 * fields of a type at once.
 */
export function argumentsOf(named: Iterable<readonly [string, DescribedArgument]>): GraphQLArgument[] {
  return Array.from(named, ([name, { type, description }]) => ({
    name,
    type,
    description,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  }))
}
