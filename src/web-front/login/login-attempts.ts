/**
 * Log-ins that were begun in a browser and have not ended yet. A cookie ties each to the browser that began it,
 * and the store gives each away once.
 */
import { type CookieRules, readCookie, writeCookie } from '../../http/cookie.ts'
import type { Clock } from '../../util/clock.ts'
import { seal, unseal } from '../session/seal.ts'
import { hashOf, isSecret, newSecret } from '../session/secret.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { Kept } from './login-strategy.ts'

/** A log-in that was begun. */
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
  /** The attempt with this state, which the browser began; it is gone then. */
  take(state: string, cookieHeader: string | undefined): Promise<LoginAttempt | undefined>
  /** The `Set-Cookie` header that takes the cookie of an attempt away. */
  forgetCookie(state: string): string
}

const lifetimeSeconds = 600

/** The attempts that a store keeps. */
export function createLoginAttempts(parts: {
  readonly store: SessionStore
  readonly cookies: CookieRules
  readonly cookieName: string
  readonly now: Clock
}): LoginAttempts {
  const { store, cookies, now } = parts
  // Log-ins in several tabs do not get in each other's way.
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
      if (secret === undefined || !isSecret(secret)) return undefined
      const record = await store.take(hashOf('attempt', secret))
      const text = record === undefined ? undefined : unseal(secret, record.content)
      const attempt = text === undefined ? undefined : (JSON.parse(text) as LoginAttempt)
      return attempt?.state === state ? attempt : undefined
    },

    forgetCookie: (state) => writeCookie(nameOf(state), '', cookies, 0),
  }
}
