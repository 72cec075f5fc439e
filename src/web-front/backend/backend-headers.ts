/** What a backend sees of a request beside what the application sent for it, and what a browser sees of its answer. */
import { forOneCaller } from '../../http/proxy/for-one-caller.ts'
import { type HeaderList, spellingOf, withoutHeaders } from '../../http/proxy/header-list.ts'
import type { Credential } from '../session/session.ts'

export interface BackendHeaderRules {
  /** Header that takes the access token. `Authorization` takes it as a bearer token. */
  readonly tokenHeader: string
  /** Name of the session's cookie, without a prefix. */
  readonly cookieName: string
}

/** One forwarded request, as far as its headers depend on it. */
export interface ForwardedCall {
  readonly requestId: string
  /** Whether tokens are put in here: then those that a browser sends are nobody's. */
  readonly takesOverTokens: boolean
  readonly credential: Credential | undefined
}

/** Names by which backends may be used to being told who is calling. */
const identityNames: ReadonlySet<string> = new Set([
  'x-user',
  'x-remote-user',
  'remote-user',
  'x-authenticated-user',
  'x-auth-request-user',
  'x-request-id',
])

const tokenNames: ReadonlySet<string> = new Set(['x-xaas-auth-token', 'x-xaas-api-key', 'authorization'])

/** The headers that the backend gets. */
export function backendRequestHeaders(
  headers: HeaderList,
  call: ForwardedCall,
  rules: BackendHeaderRules,
): HeaderList {
  const tokenName = spellingOf(rules.tokenHeader)
  const kept = withoutHeaders(headers, (name) => {
    if (identityNames.has(name) || /^x-gatehouse(-|$)/.test(name)) return true
    return call.takesOverTokens && (tokenNames.has(name) || name === tokenName)
  })
  return [
    ...kept.flatMap((header) => withoutOwnCookies(header, rules)),
    ['X-Request-Id', call.requestId],
    ...tokenOf(call, rules),
  ]
}

/** The headers of the backend's answer that the browser gets. */
export function backendAnswerHeaders(
  headers: HeaderList,
  { requestId }: ForwardedCall,
  rules: BackendHeaderRules,
): HeaderList {
  const kept = headers.filter(([name, value]) => {
    const spelling = spellingOf(name)
    if (spelling === 'set-cookie') return !isOwnCookie(value, rules)
    // Other origins have no business here, and another address would lead browsers past us.
    return spelling !== 'x-request-id' && spelling !== 'alt-svc' && !spelling.startsWith('access-control-')
  })
  return forOneCaller([...kept, ['X-Request-Id', requestId]], ['Cookie'])
}

function tokenOf(
  { takesOverTokens, credential }: ForwardedCall,
  { tokenHeader }: BackendHeaderRules,
): HeaderList {
  if (!takesOverTokens || credential === undefined) return []
  const { accessToken } = credential
  const isBearer = tokenHeader.toLowerCase() === 'authorization'
  return [[tokenHeader, isBearer ? `Bearer ${accessToken}` : accessToken]]
}

function withoutOwnCookies([name, value]: HeaderList[number], rules: BackendHeaderRules): HeaderList {
  if (spellingOf(name) !== 'cookie') return [[name, value]]
  const cookies = value
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '' && !isOwnCookie(cookie, rules))
  return cookies.length === 0 ? [] : [[name, cookies.join('; ')]]
}

function isOwnCookie(cookie: string, { cookieName }: BackendHeaderRules): boolean {
  const [name = ''] = cookie.split('=', 1)
  const plain = name
    .trim()
    .replace(/^__(host|secure)-/i, '')
    .toLowerCase()
  const own = cookieName.toLowerCase()
  return plain === own || plain.startsWith(`${own}-login-`)
}
