import type { IncomingHttpHeaders } from 'node:http'
import { requestOptionHeaders } from './request-options.ts'

/**
 * Responses for pages of other origins, without cookies: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export interface CrossOrigin {
  /**
   * The headers of each response to a request with this `Origin`, or without one, at a decoded path, if that is known.
   * Their `vary` is to be added to the response's own.
   */
  headersFor(origin: string | undefined, path?: string): CrossOriginHeaders
  /** The headers of the response to a preflight request of a listed origin; undefined for any other request. */
  preflight(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
  ): Readonly<Record<string, string>> | undefined
}

/** Headers of a response, by their names in lower case. */
type CrossOriginHeaders = Readonly<Record<string, string>> & { readonly vary: string }

/** Request headers that a page may send besides those that need no permission. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'traceparent',
  'tracestate',
  ...requestOptionHeaders,
  'X-Request-Id',
  'X-Xaas-Api-Key',
  'X-Xaas-Auth-Token',
  'X-Xaas-Xid',
  'X-Xaas-Xname',
]

/** Response headers that a page may read besides those that need no permission. */
const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Gatehouse-Refused',
  'X-Gatehouse-Schema',
  'X-Request-Id',
  'X-Total-Count',
]

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': allowedHeaders.join(', '),
  'access-control-max-age': '600',
}

const exposed = { 'access-control-expose-headers': exposedHeaders.join(', ') }

/**
 * For pages of these origins, as browsers write them. No page of another origin may call `closedPaths`; they are decoded.
 */
export function createCrossOrigin(origins: readonly string[], closedPaths: readonly string[]): CrossOrigin {
  const listed = new Set(origins)
  const closed = new Set(closedPaths)
  const forOthers = { vary: 'Origin' }

  function headersFor(origin: string | undefined, path = ''): CrossOriginHeaders {
    if (origin === undefined || !listed.has(origin) || closed.has(path)) return forOthers
    return { ...forOthers, 'access-control-allow-origin': origin, ...exposed }
  }

  return {
    headersFor,
    preflight(method, path, headers) {
      const { origin } = headers
      if (method !== 'OPTIONS' || origin === undefined || !listed.has(origin)) return undefined
      if (closed.has(path)) return undefined
      if (headers['access-control-request-method'] === undefined) return undefined
      return { ...preflightHeaders, 'access-control-allow-origin': origin }
    },
  }
}

/** The value of `Vary` with another header name. */
export function withVary(vary: unknown, name: string): string {
  const names = vary === undefined ? [] : [vary].flat().join(', ').split(',')
  const known = names.map((one) => one.trim())
  const isThere = known.some((one) => one === '*' || one.toLowerCase() === name.toLowerCase())
  return (isThere ? known : [...known, name]).join(', ')
}
