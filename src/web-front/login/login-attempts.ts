/**
 * Logins that were started in a browser and are not finished. A cookie ties each to its browser, and the store returns
 * each only once.
 */
import { type CookieRules, readCookie, writeCookie } from '../../http/cookie.ts'
import type { Clock } from '../../util/clock.ts'
import { seal, unseal } from '../session/seal.ts'
import { hashOf, isSecret, newSecret } from '../session/secret.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { Kept } from './login-strategy.ts'

/** A started login. */
export interface LoginAttempt {
  /** Name of the login provider. */
  readonly provider: string
  readonly state: string
  /** Where to go afterwards: a path of this origin. */
  readonly returnTo: string
  readonly kept: Kept
}

export interface LoginAttempts {
  /** The `Set-Cookie` header that ties an attempt to the browser. */
  begin(attempt: LoginAttempt): Promise<string>
  /**
   * Returns and removes the attempt with this state; if there is none, says whether its cookie is missing or the attempt
   * is over.
   */
  take(state: string, cookieHeader: string | undefined): Promise<LoginAttempt | 'cookieLost' | 'attemptOver'>
  /** The `Set-Cookie` header that removes the cookie of an attempt. */
  forgetCookie(state: string): string
}

const lifetimeSeconds = 600

/** The attempts in a store. */
export function createLoginAttempts(parts: {
  readonly store: SessionStore
  readonly cookies: CookieRules
  readonly cookieName: string
  readonly now: Clock
}): LoginAttempts {
  const { store, cookies, now } = parts
  // Logins in several tabs do not interfere.
  const nameOf = (state: string) => `${parts.cookieName}-login-${hashOf(state).slice(0, 12)}`
  return {
    async begin(attempt) {
      const secret = newSecret()
      await store.create({
        key: hashOf('attempt', secret),
        content: seal(secret, JSON.stringify(attempt)),
        groups: [],
        endsAt: now().getTime() + lifetimeSeconds * 1000,
      })
      return writeCookie(nameOf(attempt.state), secret, cookies, lifetimeSeconds)
    },

    async take(state, cookieHeader) {
      const secret = readCookie(cookieHeader, nameOf(state), cookies)
      if (secret === undefined || !isSecret(secret)) return 'cookieLost'
      const record = await store.take(hashOf('attempt', secret))
      const text = record === undefined ? undefined : unseal(secret, record.content)
      const attempt = text === undefined ? undefined : (JSON.parse(text) as LoginAttempt)
      return attempt?.state === state ? attempt : 'attemptOver'
    },

    forgetCookie: (state) => writeCookie(nameOf(state), '', cookies, 0),
  }
}
