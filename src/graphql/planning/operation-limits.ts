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
  depth: 30,
  fields: 5000,
  aliases: 1000,
  directives: 10,
  cost: 200_000_000,
}

/** Usual introspection queries nest types to a depth of about 15. */
export const introspectionDepth = 20

/** Further limits for a document. Each operation and each fragment is checked against its other definitions. */
export const documentLimits = { operations: 100, fragments: 500, variables: 500, charactersPerToken: 50 }

/** The error of an operation that exceeds a limit. */
export function limitError(limit: Limit, allowed: number, found: number): GraphQLError {
  const isOption = limit in defaultOperationLimits
  const whose = isOption ? 'operation' : 'document'
  // The characters are limited by the tokens that they could be.
  const option = isOption ? limit : limit === 'characters' || limit === 'lines' ? 'tokens' : undefined
  const setting = option === undefined || isIntrospection(limit, allowed) ? '' : ` (graphql_max_${option})`
  const sentence = `The ${whose} has ${nouns[limit]} of ${found}, and ${allowed} is the limit${setting}.`
  return new GraphQLError(`${sentence} ${advice[limit] ?? 'Split it into several.'}`, {
    extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, allowed, found },
  })
}

/** The depth of introspection is not an option. */
function isIntrospection(limit: Limit, allowed: number): boolean {
  return limit === 'depth' && allowed === introspectionDepth
}

const advice: Readonly<Partial<Record<Limit, string>>> = {
  depth: 'Ask for the inner fields in a second operation.',
  cost: 'Ask for smaller pages with "first", or for fewer levels.',
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
