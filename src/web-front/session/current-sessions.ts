/** The session of a request's cookie, and who is logged in there. */
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { loginPath } from '../login/login-paths.ts'
import { isOver, type LoginProvider } from '../login/login-provider.ts'
import type { Login } from './session.ts'
import type { OpenSession, Sessions } from './sessions.ts'

/** A session with a login. */
export interface LoggedIn {
  readonly session: OpenSession
  readonly login: Login
  readonly provider: LoginProvider
}

export interface CurrentSessions {
  /** The session of a request; undefined if there is none. If its login is over, the session ends. */
  sessionOf(cookieHeader: string | undefined): Promise<OpenSession | undefined>
  /** Who is logged in, in a session; undefined if no one is. */
  loginOf(session: OpenSession | undefined): LoggedIn | undefined
  /** The provider of a login; undefined if it is no longer configured. */
  providerOf(login: Login): LoginProvider | undefined
}

/** The current sessions of a web front. */
export function createCurrentSessions(
  sessions: Sessions,
  providers: readonly LoginProvider[],
  now: Clock,
): CurrentSessions {
  const providerOf = (login: Login) =>
    providers.find(({ name, strategyName }) => name === login.provider && strategyName === login.strategy)

  return {
    async sessionOf(cookieHeader) {
      const session = await sessions.open(cookieHeader)
      const login = session?.content.login
      if (session === undefined || login === undefined) return session
      const provider = providerOf(login)
      if (provider !== undefined && !isOver(login, provider, now())) return session
      await sessions.end(session)
      return undefined
    },

    loginOf(session) {
      const login = session?.content.login
      const provider = login === undefined ? undefined : providerOf(login)
      if (session === undefined || login === undefined || provider === undefined) return undefined
      return { session, login, provider }
    },

    providerOf,
  }
}

/** The error for a client that is not logged in: it says where to log in. */
export function loginRequired(providers: readonly LoginProvider[]): AppError {
  const login = loginPathOf(providers)
  return new AppError('LOGIN_REQUIRED', {
    detail: `Log in at ${login}; with the parameter returnTo you come back to a page.`,
    headers: { 'www-authenticate': 'Cookie' },
    members: { login },
  })
}

/** The path at which a browser logs in. */
export function loginPathOf([first, second]: readonly LoginProvider[]): string {
  return first !== undefined && second === undefined ? loginPath(first.name) : '/auth'
}
