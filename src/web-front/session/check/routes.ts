/**
 * `GET /session/check`: whether a reverse proxy lets a request of this browser through (forward authentication):
 * `auth_request` of nginx, `forward_auth` of Caddy, `ForwardAuth` of Traefik.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { opensAddress } from '../../../http/error-response.ts'
import type { Route } from '../../../http/routes.ts'
import { type OriginReader, requireOwnPage } from '../../../http/same-origin.ts'
import { callerHeaders } from '../../../proxy/caller-headers.ts'
import { callerIdentityOf } from '../../backend/caller-identity.ts'
import type { LoginProvider } from '../../login/login-provider.ts'
import { returnPath } from '../../login/return-path.ts'
import { loginHeader } from '../../way-on.ts'
import { type CurrentSessions, type LoggedIn, loginPathOf, loginRequired } from '../current-sessions.ts'
import type { Presence } from '../presence.ts'
import { readTexts, readYesOrNo } from '../read-query.ts'

export interface SessionCheckParts {
  readonly currentSessions: CurrentSessions
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  readonly originOf: OriginReader
  /** The address that browsers use. */
  readonly baseUrl: () => string
  /** Where to go after login if the request does not say it. */
  readonly home: string
}

/** How long it is assumed that an account still exists, in milliseconds. */
const trustMs = 1000

export function sessionCheckRoute(parts: SessionCheckParts): Route {
  return {
    path: '/session/check',
    access: 'open',
    methods: {
      async GET(request, reply) {
        const wish = readWish(request.query)
        const checked = readChecked(request)
        requireOwnPage(checked, parts.originOf)
        const loggedIn = await loggedInOf(request.headers.cookie, parts)
        if (loggedIn === undefined) return refuse(checked, wish, reply, parts)
        const { account, roles } = callerIdentityOf(loggedIn.login)
        requireRole(roles, wish.roles)
        const identity = callerHeaders(account, roles).map(({ name, value }) => [name, value])
        return reply.status(204).headers(Object.fromEntries(identity)).send()
      },
    },
  }
}

/** The request that the reverse proxy asks about. */
interface CheckedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly isUpgrade: boolean
  /** Path and query; undefined if the proxy does not say them, like the host. */
  readonly target: string | undefined
  readonly host: string | undefined
}

/** What the proxy says is about the browser's own request: forged, it changes only where that browser is led. */
function readChecked({ headers }: FastifyRequest): CheckedRequest {
  const told = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    method: told('x-forwarded-method') ?? 'GET',
    headers,
    isUpgrade: headers['sec-websocket-key'] !== undefined,
    target: told('x-forwarded-uri'),
    host: told('x-forwarded-host'),
  }
}

async function loggedInOf(
  cookieHeader: string | undefined,
  { currentSessions, presence }: SessionCheckParts,
): Promise<LoggedIn | undefined> {
  const session = await currentSessions.sessionOf(cookieHeader)
  return presence.confirm(currentSessions.loginOf(session), trustMs)
}

/**
 * Says where the browser logs in: by a redirect if that is wished, otherwise in a header of the 401, for proxies that take
 * nothing else. Calls of scripts are not led to a page. Throws LOGIN_REQUIRED.
 */
function refuse(
  checked: CheckedRequest,
  { redirect }: CheckWish,
  reply: FastifyReply,
  { providers, home, ...parts }: SessionCheckParts,
): FastifyReply {
  const { headers, members, detail = '' } = loginRequired(providers)
  const own = new URL(parts.baseUrl())
  if (!isAt(own, checked.host)) {
    throw new AppError('LOGIN_REQUIRED', {
      headers,
      detail: `People log in at ${own.origin}. This request was for ${checked.host}, and browsers send the cookie of the session to one host only.`,
    })
  }
  if (!opensAddress(checked)) throw new AppError('LOGIN_REQUIRED', { headers, members, detail })
  const returnTo = encodeURIComponent(returnPath(checked.target, home))
  const login = `${parts.baseUrl()}${loginPathOf(providers)}?returnTo=${returnTo}`
  if (redirect) return reply.redirect(login, 303)
  throw new AppError('LOGIN_REQUIRED', { headers: { ...headers, [loginHeader]: login }, members, detail })
}

/** Whether a request went to the host at which people log in. */
function isAt(own: URL, host = own.host): boolean {
  const address = `${own.protocol}//${host}`
  return URL.canParse(address) && new URL(address).host === own.host
}

function requireRole(held: readonly string[], wanted: readonly string[]): void {
  if (wanted.length === 0 || wanted.some((role) => held.includes(role))) return
  throw new AppError('ROLE_MISSING', { detail: `This needs the role ${wanted.join(' or ')}.` })
}

interface CheckWish {
  readonly roles: readonly string[]
  readonly redirect: boolean
}

function readWish(query: unknown): CheckWish {
  const given = query as Readonly<Record<string, unknown>>
  return { roles: readTexts(given, 'role'), redirect: readYesOrNo(given, 'redirect') }
}
