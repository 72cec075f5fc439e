import { GraphQLError } from 'graphql'

/** How much one operation may request. */
export interface OperationLimits {
  /** Tokens of the document. */
  readonly tokens: number
  /** Nesting of fields, with fragments expanded. Introspection, whose usual queries are deeper, has its own limit. */
  readonly depth: number
  /** Fields, each as often as it is selected, with fragments expanded. */
  readonly fields: number
  /** Fields with an alias, counted in the same way. */
  readonly aliases: number
  /** Directives at one location. */
  readonly directives: number
  /** Rows that the operation may read: the sum over all levels of the product of the page sizes down to it. */
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

/** Usual introspection queries nest types to a depth of about 15. */
export const introspectionDepth = 20

/** Further limits for a document. Each operation and each fragment is checked against its other definitions. */
export const documentLimits = { operations: 100, fragments: 500, variables: 500, charactersPerToken: 50 }

/** The error of an operation that exceeds a limit. */
export function limitError(limit: Limit, allowed: number, found: number): GraphQLError {
  const whose = limit in defaultOperationLimits ? 'operation' : 'document'
  return new GraphQLError(`The ${whose} has ${nouns[limit]} of ${found}, and ${allowed} is the limit.`, {
    extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, allowed, found },
  })
}

/** A quantity that is limited. */
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
