import type { Variables } from '../query/value-source.ts'

/** https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters */
export interface GraphqlRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables: Variables
  /** Whether mutations are refused. */
  readonly onlyReads?: boolean
  /** The values that the rules of a restricted view name. */
  readonly ruleVariables?: Variables
  /** The client must not learn the schema: introspection is refused, and errors suggest no names. */
  readonly hidesSchema?: boolean
}
