/** `GET /session`: what the application may know about the session of its browser. */
import { AppError } from '../../errors/app-error.ts'
import type { Route } from '../../http/routes.ts'
import type { OriginReader } from '../../http/same-origin.ts'
import type { Clock } from '../../util/clock.ts'
import type { LoginProvider } from '../login/login-provider.ts'
import type { Renewals } from '../token/renewals.ts'
import { type CurrentSessions, type LoggedIn, loginPathOf, loginRequired } from './current-sessions.ts'
import type { Presence } from './presence.ts'
import { readYesOrNo } from './read-query.ts'
import { accountGroup } from './session-lists.ts'
import type { OpenSession, Sessions } from './sessions.ts'
import { type SessionSurroundings, showSession } from './show-session.ts'

export interface SessionRouteParts {
  readonly sessions: Sessions
  readonly currentSessions: CurrentSessions
  readonly renewals: Renewals
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  /** Whether the store has the sessions of all nodes. */
  readonly listsSessions: boolean
  readonly surroundings: SessionSurroundings
  readonly originOf: OriginReader
  readonly now: Clock
}

export function sessionRoutes(parts: SessionRouteParts): readonly Route[] {
  const { sessions, currentSessions, providers, surroundings } = parts
  return [
    {
      path: '/session',
      access: 'open',
      methods: {
        async GET(request, reply) {
          const wish = readWish(request.query as Readonly<Record<string, unknown>>)
          if (parts.originOf(request.headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
          const found = await currentSessions.sessionOf(request.headers.cookie)
          const loggedIn = await presentLogin(currentSessions.loginOf(found), wish.refresh, parts)
          if (loggedIn === undefined) {
            if (providers.length > 0) {
              if (!wish.optional) throw loginRequired(providers)
              return { login: loginPathOf(providers) }
            }
            if (found !== undefined) return showSession(found, surroundings, { showTokens: false })
            const { session, setCookie } = await sessions.start({ page: { query: {}, params: {} } }, [])
            reply.header('set-cookie', setCookie)
            return showSession(session, surroundings, { showTokens: false })
          }
          const session = await withRightToken(loggedIn, wish.refresh, parts)
          const others =
            wish.entirety && parts.listsSessions
              ? { sessions: await sessions.idsOf(accountGroup(loggedIn.login)) }
              : {}
          return showSession(session, surroundings, {
            showTokens: !loggedIn.provider.transparentTokens,
            ...others,
          })
        },
      },
    },
  ]
}

/** Getting a new token already shows whether the account still exists. */
async function presentLogin(
  loggedIn: LoggedIn | undefined,
  refresh: boolean,
  { presence }: SessionRouteParts,
): Promise<LoggedIn | undefined> {
  const isShown = loggedIn !== undefined && makesToken(loggedIn, refresh)
  return isShown && loggedIn.provider.generator?.forGatewayAccounts ? loggedIn : presence.confirm(loggedIn, 0)
}

/** If the browser uses the tokens itself, every call makes a new one; otherwise only a call that asks for it. */
function makesToken({ provider }: LoggedIn, refresh: boolean): boolean {
  return provider.generator !== undefined && (!provider.transparentTokens || refresh)
}

async function withRightToken(
  loggedIn: LoggedIn,
  refresh: boolean,
  { renewals, presence, providers, now }: SessionRouteParts,
): Promise<OpenSession> {
  const { session, login } = loggedIn
  if (!makesToken(loggedIn, refresh)) return session
  try {
    const renewed = await renewals.renew(session)
    // A token that was not renewed does not show whether the account still exists.
    const shown = renewed === session ? (await presence.confirm(loggedIn, 1000))?.session : renewed
    if (shown === undefined) throw loginRequired(providers)
    return shown
  } catch (error) {
    // While a provider is unavailable, the current token is used as long as it lasts.
    const isAway = error instanceof AppError && error.code === 'LOGIN_UNAVAILABLE'
    const { expires } = login.credential ?? {}
    if (!isAway || login.credential === undefined) throw error
    if (expires !== undefined && new Date(expires) <= now()) throw error
    return session
  }
}

function readWish(query: Readonly<Record<string, unknown>>) {
  return {
    refresh: readYesOrNo(query, 'refresh'),
    entirety: readYesOrNo(query, 'entirety'),
    optional: readYesOrNo(query, 'optional'),
  }
}
