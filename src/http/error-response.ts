import type { IncomingHttpHeaders } from 'node:http'
import type { AppError } from '../errors/app-error.ts'
import { preferredMediaType } from './accept.ts'
import { documentOf, formPolicy } from './document.ts'
import { messagePage, type PageLink } from './page.ts'
import { problemMediaType, problemOf, sentenceOf } from './problem.ts'
import { traceIdOf } from './trace-id.ts'

/** A request that failed, as far as its response depends on it. */
export interface FailedRequest {
  readonly method: string
  /** Path and query, in canonical percent-encoding; undefined if they could not be read. */
  readonly target: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** Where a person can go from the page of an error; undefined for nowhere. */
export type WayOn = (error: AppError, request: FailedRequest) => PageLink | undefined

/**
 * The response to a request that failed: a problem document, or a page for a browser that opens an address. Errors with a
 * fixed body always have it.
 */
export function errorResponse(
  error: AppError,
  request: FailedRequest,
  requestId: string,
  wayOn: WayOn,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const { kind } = error
  const { refused } = kind
  const headers = { ...error.headers, ...(refused === undefined ? {} : { [refusedHeader]: refused }) }
  if (kind.body === undefined && opensAddress(request)) {
    const text = sentenceOf(error)
    const link = wayOn(error, request)
    const write = messagePage({
      title: kind.title,
      ...(text === kind.title ? {} : { text }),
      ...(link === undefined ? {} : { link }),
      requestId,
    })
    const document = documentOf(write, formPolicy)
    return { headers: { ...headers, ...document.headers }, body: Buffer.from(document.html) }
  }
  const problem = problemOf(error, requestId, traceIdOf(request.headers.traceparent))
  // As text it would get a "charset", which the media type does not have.
  return {
    headers: { ...headers, 'content-type': problemMediaType },
    body: Buffer.from(JSON.stringify(problem)),
  }
}

/** The response header that says why a request got 401: `login`, `token`, `role` or `upstream`. */
export const refusedHeader = 'x-gatehouse-refused'

/** The way on that serves nearly every error: to try again what may work later, otherwise to the start page. */
export function tryAgainOr(start: PageLink | undefined): WayOn {
  return ({ kind: { status } }, { method, target }) => {
    const mayWorkLater = status === 408 || status === 429 || status >= 500
    if (mayWorkLater && method === 'GET' && target !== undefined) return { label: 'Try again', url: target }
    return start?.url === target ? undefined : start
  }
}

/** The methods of links and forms; HEAD follows GET. */
const methodsOfPages = ['GET', 'HEAD', 'POST']

/**
 * Whether a request comes from a browser that opens an address: it prefers HTML, and is for a document. Older browsers do
 * not say what it is for; they cannot send credentials in a header.
 */
export function opensAddress({ method, headers }: Pick<FailedRequest, 'method' | 'headers'>): boolean {
  if (!methodsOfPages.includes(method)) return false
  const { accept, 'sec-fetch-dest': destination } = headers
  if (accept === undefined) return false
  if (destination === undefined ? hasCredentials(headers) : destination !== 'document') return false
  return preferredMediaType(accept, offered, 'application/json') === 'text/html'
}

const offered = [problemMediaType, 'application/json', 'text/html'] as const

function hasCredentials(headers: IncomingHttpHeaders): boolean {
  return ['authorization', 'x-xaas-auth-token', 'x-xaas-api-key'].some((name) => headers[name] !== undefined)
}
