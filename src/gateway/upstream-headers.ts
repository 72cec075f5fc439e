/**
 * Which headers of a request an upstream API gets, and which of its response the client gets. The gateway's own
 * credentials and cookies are never forwarded; only the gateway says who is calling.
 */
import type { Caller } from '../access/caller.ts'
import { refusedHeader } from '../http/error-response.ts'
import { callerHeaders, isCallerHeader } from '../proxy/caller-headers.ts'
import { forOneCaller } from '../proxy/for-one-caller.ts'
import { type Header, type HeaderList, headerNamed } from '../proxy/header-list.ts'

/** One forwarded request, as far as its headers depend on it. */
export interface ForwardedRequest {
  /** Undefined if anyone may call. */
  readonly caller: Caller | undefined
  readonly requestId: string
  /** Whether the caller was authenticated by the bearer token, so that it is the gateway's. */
  readonly isBearerOwn: boolean
  /** The headers that the route sets, in place of the client's. */
  readonly set: HeaderList
}

/** Headers in which upstream APIs may expect the identity of the caller from any proxy. */
const identityNames: ReadonlySet<string> = new Set([
  'x-xaas-auth-token',
  'x-xaas-api-key',
  'x-request-id',
  'x-user',
  'x-remote-user',
  'remote-user',
  'x-authenticated-user',
  'x-auth-request-user',
])

/** Headers of a response that only the gateway may send; another address for the same origin would lead clients past it. */
const replacedNames: ReadonlySet<string> = new Set(['x-request-id', 'alt-svc', refusedHeader])

const requestIdHeader = headerNamed('X-Request-Id')
const refusedByUpstream = headerNamed('X-Gatehouse-Refused')('upstream')

/** The headers that an upstream API gets. */
export function upstreamRequestHeaders(
  headers: HeaderList,
  { caller, requestId, isBearerOwn, set }: ForwardedRequest,
): HeaderList {
  const kept: Header[] = []
  const replaced = set.length === 0 ? undefined : new Set(set.map(({ spelling }) => spelling))
  for (const header of headers) {
    if (identityNames.has(header.spelling) || isCallerHeader(header.spelling)) continue
    if (replaced?.has(header.spelling)) continue
    const own = withoutSecrets(header, isBearerOwn)
    if (own !== undefined) kept.push(own)
  }
  kept.push(requestIdHeader(requestId), ...set)
  if (caller !== undefined) {
    kept.push(
      ...callerHeaders(
        caller.username,
        caller.roles.map(({ name }) => name),
      ),
    )
  }
  return kept
}

/** The headers that the gateway adds to an upstream API's response. */
export interface AddedHeaders {
  /** Those of every response, by their spelling: the upstream's are dropped. */
  readonly own: Readonly<Record<string, string>>
  /** What pages of other origins may do; absent for nothing. */
  readonly crossOrigin: Readonly<Record<string, string>> | undefined
}

/** The headers of an upstream API's response that the client gets. */
export function upstreamResponseHeaders(
  { status, headers }: { readonly status: number; readonly headers: HeaderList },
  { caller, requestId }: ForwardedRequest,
  { own, crossOrigin = {} }: AddedHeaders,
): HeaderList {
  const kept = headers.filter(({ spelling, value }) => {
    if (spelling === 'set-cookie') return !isOwnCookie(value)
    if (spelling.startsWith('access-control-') || replacedNames.has(spelling)) return false
    return !Object.hasOwn(own, spelling)
  })
  const response: HeaderList = [
    ...kept,
    requestIdHeader(requestId),
    ...(status === 401 ? [refusedByUpstream] : []),
    ...Object.entries({ ...own, ...crossOrigin }).map(([name, value]) => headerNamed(name)(value)),
  ]
  return caller === undefined ? response : forOneCaller(response, ['X-Xaas-Auth-Token', 'Authorization'])
}

/** A header without the gateway's credentials; undefined if nothing else is left. */
function withoutSecrets(header: Header, isBearerOwn: boolean): Header | undefined {
  const { spelling, value } = header
  switch (spelling) {
    case 'authorization':
      return isOwnAuthorization(value, isBearerOwn) ? undefined : header
    case 'cookie': {
      const cookies = value
        .split(';')
        .map((cookie) => cookie.trim())
        .filter((cookie) => cookie !== '' && !isOwnCookie(cookie))
      return cookies.length === 0 ? undefined : { ...header, value: cookies.join('; ') }
    }
    default:
      return header
  }
}

/** A bearer token that authenticated the caller is the gateway's, whatever its form. */
function isOwnAuthorization(value: string, isBearerOwn: boolean): boolean {
  return (isBearerOwn && /^\s*bearer\b/i.test(value)) || /\bgh[tk]_/.test(value)
}

function isOwnCookie(cookie: string): boolean {
  return /^\s*(__(host|secure)-)?gatehouse/i.test(cookie)
}
