import { GraphQLError } from 'graphql'

/** How much one operation may ask for. */
export interface OperationLimits {
  /** Tokens of the document. */
  readonly tokens: number
  /** Fields within fields, with fragments laid open. Introspection, whose usual queries are deeper, has a limit of its own. */
  readonly depth: number
  /** Fields, each as often as it is selected, with fragments laid open. */
  readonly fields: number
  /** Fields under another name, counted in the same way. */
  readonly aliases: number
  /** Directives at one place. */
  readonly directives: number
  /** Rows that the operation may read: the product of the page sizes on the way to each level, summed. */
  readonly cost: number
}

export const defaultOperationLimits: OperationLimits = {
  tokens: 20_000,
  depth: 12,
  fields: 5000,
  aliases: 50,
  directives: 10,
  cost: 10_000_000,
}

/** Introspection as clients ask it asks for types within types to a depth of 15 or so. */
export const introspectionDepth = 20

/**
 * How large a document may be in other ways. What its definitions have to do with each other is looked at for each operation
 * and each fragment.
 */
export const documentLimits = { operations: 100, fragments: 500, variables: 500, charactersPerToken: 50 }

/** The error of an operation that asks for more than a limit allows. */
export function limitError(limit: Limit, allowed: number, found: number): GraphQLError {
  const whose = limit in defaultOperationLimits ? 'operation' : 'document'
  return new GraphQLError(`The ${whose} has ${nouns[limit]} of ${found}, and ${allowed} is the limit.`, {
    extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, allowed, found },
  })
}

/** What is limited. */
export type Limit = keyof OperationLimits | 'operations' | 'fragments' | 'variables' | 'characters' | 'lines'

const nouns: Readonly<Record<Limit, string>> = {
  operations: 'a number of operations',
  fragments: 'a number of fragments',
  variables: 'a number of variables',
  characters: 'a number of characters',
  lines: 'a number of lines',
  tokens: 'a number of tokens',
  depth: 'a depth',
  fields: 'a number of fields',
  aliases: 'a number of aliases',
  directives: 'a number of directives at one place',
  cost: 'an estimated cost',
}
