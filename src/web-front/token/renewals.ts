/**
 * Renews access tokens, one at a time for each session, across all calls and nodes that share the store. Providers treat
 * a refresh token that is used twice as stolen.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { RateLimit } from '../../util/rate-limit.ts'
import { giveUpTokens } from '../login/log-in.ts'
import type { LoginProvider } from '../login/login-provider.ts'
import type { Credential, Login } from '../session/session.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { OpenSession, Sessions } from '../session/sessions.ts'
import { tokensGone, withToken } from './token-generator.ts'

export interface RenewalParts {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly now: Clock
  readonly providerOf: (login: Login) => LoginProvider | undefined
}

export interface Renewals {
  /**
   * The session with a token that was made after this call, or by a running renewal. Undefined if the session has ended,
   * also because there will be no more tokens. A session that renews its token very often keeps the one that it has for a
   * while, and is returned as it is; `isRefused` says that this token no longer works. Throws LOGIN_UNAVAILABLE if the
   * token provider does not respond.
   */
  renew(session: OpenSession, isRefused?: boolean): Promise<OpenSession | undefined>
}

function lasts(credential: Credential | undefined, timestamp: Date): boolean {
  return (
    credential !== undefined && (credential.expires === undefined || new Date(credential.expires) > timestamp)
  )
}

/** Longer than a generator may take; after that the lock expires. */
const claimMs = 60_000
const pauseMs = 50
const renewalsPerMinute = 120

/** The renewals of all sessions on this node. */
export function createRenewals(parts: RenewalParts): Renewals {
  const { store, sessions, now, providerOf } = parts
  const running = new Map<string, Promise<OpenSession | undefined>>()
  const limit = new RateLimit(renewalsPerMinute, 60_000, now)

  async function generate(session: OpenSession): Promise<OpenSession | undefined> {
    const { login } = session.content
    const provider = login === undefined ? undefined : providerOf(login)
    const generator = provider?.generator
    if (login === undefined || provider === undefined || generator === undefined) return session
    try {
      const token = await generator.generate(login)
      const credentialSince = now().getTime()
      const renewed = await sessions.update(session, (content) =>
        content.login === undefined
          ? content
          : { ...content, login: { ...withToken(content.login, token), credentialSince } },
      )
      if (renewed === undefined) {
        // A logout meanwhile could not know this token.
        await giveUpTokens(withToken(login, token), provider)
        return undefined
      }
      const { revoke } = generator
      if (revoke !== undefined) {
        const gone = tokensGone(login, renewed.content.login)
        await Promise.allSettled(gone.map((old) => revoke(old)))
      }
      return renewed
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LOGIN_REFUSED') throw error
      await sessions.end(session)
      return undefined
    }
  }

  /** Waits for the lock; if another call has renewed meanwhile, uses its token. */
  async function takeTurn(session: OpenSession): Promise<OpenSession | undefined> {
    const seen = session.content.login?.renewals
    const end = performance.now() + claimMs
    while (performance.now() < end) {
      const release = await store.lock(`renew:${session.id}`, claimMs)
      try {
        const current = await sessions.reload(session)
        if (current === undefined || current.content.login?.renewals !== seen) return current
        if (release !== undefined) return await generate(current)
      } finally {
        // A lock that cannot be released expires by itself.
        await release?.().catch(() => undefined)
      }
      await wait(pauseMs)
    }
    throw new AppError('LOGIN_UNAVAILABLE')
  }

  return {
    async renew(session, isRefused = false) {
      const { id } = session
      const already = running.get(id)
      if (already !== undefined) return already
      const isOften = limit.take(id) > 0
      if (isOften && !isRefused && lasts(session.content.login?.credential, now())) return session
      const renewal = takeTurn(session).finally(() => running.delete(id))
      running.set(id, renewal)
      return renewal
    },
  }
}
