/** Reads GraphQL requests: https://graphql.github.io/graphql-over-http/draft/#sec-Request */
import { AppError } from '../../errors/app-error.ts'
import type { GraphqlRequest } from '../../graphql/graphql-request.ts'
import type { StoredDocuments } from '../../graphql/stored-documents.ts'

/**
 * The request in a body, or in an entry of a batch; it may name one of the stored documents, if there are some. Throws
 * PARAMETER_INVALID, PERSISTED_QUERY_NOT_SUPPORTED and PERSISTED_QUERY_NOT_FOUND.
 */
export function requestInBody(body: unknown, stored: StoredDocuments | undefined): GraphqlRequest {
  if (!isObject(body)) throw invalid('The body must be a JSON object with the key "query".')
  return graphqlRequestOf(body, stored)
}

const requestKeys = ['query', 'operationName', 'variables', 'extensions']

/** Where clients put the id of a document: by the specification, and as Relay's documentation and users do. */
const idKeys = ['documentId', 'doc_id', 'id']

/** Whether the parameters of an address are those of a request, and not of one for the schema. */
export function isRequest(query: Readonly<Record<string, unknown>>): boolean {
  return [...requestKeys, ...idKeys].some((name) => query[name] !== undefined)
}

/** The request in the parameters of an address. Throws as `requestInBody`. */
export function requestInQuery(
  query: Readonly<Record<string, unknown>>,
  stored: StoredDocuments | undefined,
): GraphqlRequest {
  const json = (name: string): unknown => {
    const text = query[name]
    if (text === undefined || text === '') return undefined
    try {
      return JSON.parse(String(text))
    } catch {
      throw invalid(`The parameter "${name}" must be JSON.`)
    }
  }
  const source = { ...query, variables: json('variables'), extensions: json('extensions') }
  return graphqlRequestOf(source, stored)
}

function graphqlRequestOf(
  source: Readonly<Record<string, unknown>>,
  stored: StoredDocuments | undefined,
): GraphqlRequest {
  const { operationName, variables, extensions } = source
  const query = isAbsent(source.query) || source.query === '' ? storedDocument(source, stored) : source.query
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

/** The document that a request names; undefined if it names none. */
function storedDocument(
  source: Readonly<Record<string, unknown>>,
  stored: StoredDocuments | undefined,
): string | undefined {
  const id = idIn(source)
  if (id === undefined) return undefined
  // https://www.apollographql.com/docs/apollo-server/performance/apq: clients send the whole document then.
  if (stored === undefined) throw new AppError('PERSISTED_QUERY_NOT_SUPPORTED')
  const found = stored.find(id)
  if (found === undefined) throw new AppError('PERSISTED_QUERY_NOT_FOUND')
  return found
}

function idIn(source: Readonly<Record<string, unknown>>): string | undefined {
  const { extensions } = source
  if (isObject(extensions) && isObject(extensions.persistedQuery)) {
    return String(extensions.persistedQuery.sha256Hash)
  }
  return idKeys.map((key) => source[key]).find((id) => typeof id === 'string')
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
