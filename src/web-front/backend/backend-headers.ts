/** Which headers of a request the backend gets, and which of its response the browser gets. */
import { refusedHeader } from '../../http/error-response.ts'
import { knownBrowserCookie } from '../../http/known-browsers.ts'
import { isRequestOption } from '../../http/request-options.ts'
import { isCallerHeader } from '../../proxy/caller-headers.ts'
import { forOneCaller } from '../../proxy/for-one-caller.ts'
import {
  type Header,
  type HeaderList,
  headerNamed,
  headerValue,
  spellingOf,
} from '../../proxy/header-list.ts'
import type { Credential } from '../session/session.ts'

export interface BackendHeaderRules {
  /** Header for the access token. `Authorization` sends it as a bearer token. */
  readonly tokenHeader: string
  /** Name of the session's cookie, without a prefix. */
  readonly cookieName: string
  /** Whether the backend is the gateway, which says itself why it responds with 401; absent if not. */
  readonly isGateway?: boolean
}

/** One forwarded request, as far as its headers depend on it. */
export interface ForwardedCall {
  readonly requestId: string
  /** Which tokens of the browser the backend gets: all, none, or all but those of the gateway. */
  readonly browserTokens: 'kept' | 'dropped' | 'others'
  /** The token that the web front adds; undefined for none. */
  readonly credential: Credential | undefined
  /** The headers that say who calls. */
  readonly identity: HeaderList
}

/** Headers in which backends may expect the identity of the caller. */
const identityNames: ReadonlySet<string> = new Set([
  'x-user',
  'x-remote-user',
  'remote-user',
  'x-authenticated-user',
  'x-auth-request-user',
  'x-request-id',
])

const replacedNames: ReadonlySet<string> = new Set(['x-request-id', 'alt-svc', refusedHeader])

const requestIdHeader = headerNamed('X-Request-Id')
const refusedBy = headerNamed('X-Gatehouse-Refused')

const tokenNames: ReadonlySet<string> = new Set(['x-xaas-auth-token', 'x-xaas-api-key', 'authorization'])

/** The headers that the backend gets. */
export function backendRequestHeaders(
  headers: HeaderList,
  call: ForwardedCall,
  rules: BackendHeaderRules,
): HeaderList {
  const tokenName = spellingOf(rules.tokenHeader)
  const kept: Header[] = []
  for (const header of headers) {
    const { spelling } = header
    if (identityNames.has(spelling)) continue
    if (isCallerHeader(spelling) && !isRequestOption(header.name)) continue
    if (call.browserTokens === 'dropped' && (tokenNames.has(spelling) || spelling === tokenName)) continue
    if (call.browserTokens === 'others' && isOfGateway(header)) continue
    const own = spelling === 'cookie' ? withoutOwnCookies(header, rules) : header
    if (own !== undefined) kept.push(own)
  }
  kept.push(requestIdHeader(call.requestId), ...call.identity)
  const token = tokenOf(call, rules)
  if (token !== undefined) kept.push(token)
  return kept
}

/** The headers of the backend's response that the browser gets. */
export function backendResponseHeaders(
  { status, headers }: { readonly status: number; readonly headers: HeaderList },
  { requestId }: ForwardedCall,
  rules: BackendHeaderRules,
): HeaderList {
  const kept = headers.filter(({ spelling, value }) => {
    if (spelling === 'set-cookie') return !isOwnCookie(value, rules)
    // Other origins must not use the backend, and `Alt-Svc` would lead browsers past the web front.
    return !replacedNames.has(spelling) && !spelling.startsWith('access-control-')
  })
  const refused = status === 401 ? whoRefused(headers, rules) : undefined
  const own = refused === undefined ? [] : [refusedBy(refused)]
  return forOneCaller([...kept, requestIdHeader(requestId), ...own], ['Cookie'])
}

/** The gateway says it itself, but has no sessions. Undefined for a refusal of the gateway that is none of these. */
function whoRefused(headers: HeaderList, { isGateway }: BackendHeaderRules): string | undefined {
  if (!isGateway) return 'upstream'
  const told = headerValue(headers, refusedHeader)
  return told === 'role' || told === 'token' || told === undefined ? told : 'upstream'
}

function tokenOf({ credential }: ForwardedCall, { tokenHeader }: BackendHeaderRules): Header | undefined {
  if (credential === undefined) return undefined
  const { accessToken } = credential
  const isBearer = tokenHeader.toLowerCase() === 'authorization'
  return {
    name: tokenHeader,
    value: isBearer ? `Bearer ${accessToken}` : accessToken,
    spelling: spellingOf(tokenHeader),
  }
}

/** Whether a header holds a credential of the gateway: no other backend may get it. */
function isOfGateway({ spelling, value }: Header): boolean {
  return /^x-xaas(-|$)/.test(spelling) || /\bgh[tk]_/.test(value)
}

/** Undefined if there was no other cookie. */
function withoutOwnCookies(header: Header, rules: BackendHeaderRules): Header | undefined {
  const cookies = header.value
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '' && !isOwnCookie(cookie, rules))
  return cookies.length === 0 ? undefined : { ...header, value: cookies.join('; ') }
}

function isOwnCookie(cookie: string, { cookieName }: BackendHeaderRules): boolean {
  const [name = ''] = cookie.split('=', 1)
  const plain = name
    .trim()
    .replace(/^__(host|secure)-/i, '')
    .toLowerCase()
  const own = cookieName.toLowerCase()
  return plain === own || plain === knownBrowserCookie(own) || plain.startsWith(`${own}-login-`)
}
