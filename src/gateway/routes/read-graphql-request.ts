/** Reads GraphQL requests: https://graphql.github.io/graphql-over-http/draft/#sec-Request */
import { AppError } from '../../errors/app-error.ts'
import type { GraphqlRequest } from '../../graphql/graphql-request.ts'

/** The request in a body, or in an entry of a batch. Throws PARAMETER_INVALID and PERSISTED_QUERY_NOT_SUPPORTED. */
export function requestInBody(body: unknown): GraphqlRequest {
  if (!isObject(body)) throw invalid('The body must be a JSON object with the key "query".')
  return graphqlRequestOf(body)
}

/** Whether the parameters of an address are those of a request, and not of one for the schema. */
export function isRequest(query: Readonly<Record<string, unknown>>): boolean {
  return ['query', 'operationName', 'variables', 'extensions'].some((name) => query[name] !== undefined)
}

/** The request in the parameters of an address. Throws as `requestInBody`. */
export function requestInQuery(query: Readonly<Record<string, unknown>>): GraphqlRequest {
  const json = (name: string): unknown => {
    const text = query[name]
    if (text === undefined || text === '') return undefined
    try {
      return JSON.parse(String(text))
    } catch {
      throw invalid(`The parameter "${name}" must be JSON.`)
    }
  }
  return graphqlRequestOf({ ...query, variables: json('variables'), extensions: json('extensions') })
}

function graphqlRequestOf(source: Readonly<Record<string, unknown>>): GraphqlRequest {
  const { query, operationName, variables, extensions } = source
  // https://www.apollographql.com/docs/apollo-server/performance/apq: clients send the whole document then.
  if (isAbsent(query) && isObject(extensions) && isObject(extensions.persistedQuery))
    throw new AppError('PERSISTED_QUERY_NOT_SUPPORTED')
  if (typeof query !== 'string') throw invalid('"query" must be a text: the GraphQL document.')
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw invalid('"operationName" must be a text.')
  if (!isAbsent(variables) && !isObject(variables)) throw invalid('"variables" must be an object.')
  if (!isAbsent(extensions) && !isObject(extensions)) throw invalid('"extensions" must be an object.')
  return {
    query,
    variables: isObject(variables) ? variables : {},
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(detail: string): AppError {
  return new AppError('PARAMETER_INVALID', { detail })
}
