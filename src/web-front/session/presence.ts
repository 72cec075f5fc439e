/**
 * Whether a logged-in person still has an account at the gateway. If it was deleted, has expired or is disabled, the
 * session ends.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import type { GatewayClient } from '../gateway/gateway-client.ts'
import type { Renewals } from '../token/renewals.ts'
import type { CurrentSessions, LoggedIn } from './current-sessions.ts'
import type { Sessions } from './sessions.ts'

export interface PresenceParts {
  readonly sessions: Pick<Sessions, 'end'>
  readonly currentSessions: CurrentSessions
  readonly renewals: Renewals
  /** Absent without a gateway. */
  readonly gateway: Pick<GatewayClient, 'takes'> | undefined
  readonly now: Clock
}

export interface Presence {
  /**
   * Who is logged in; undefined if this ended the session. An earlier answer of the gateway may be `maxAgeMs` old. While
   * the gateway is unavailable, nothing changes.
   */
  confirm(loggedIn: LoggedIn | undefined, maxAgeMs: number): Promise<LoggedIn | undefined>
}

const tokensKept = 10_000

interface Answer {
  readonly askedAt: number
  readonly isTaken: Promise<boolean>
}

/** Checks the accounts of logged-in people at a gateway. */
export function createPresence({
  sessions,
  currentSessions,
  renewals,
  gateway,
  now,
}: PresenceParts): Presence {
  const answers = new GenerationalCache<string, Answer>(tokensKept)

  function isTaken(token: string, maxAgeMs: number): Promise<boolean> {
    const known = answers.get(token)
    if (known !== undefined && now().getTime() - known.askedAt < maxAgeMs) return known.isTaken
    const isTaken = gateway?.takes(token).catch(unlessAway) ?? Promise.resolve(true)
    answers.set(token, { askedAt: now().getTime(), isTaken })
    return isTaken
  }

  async function end({ session, provider }: LoggedIn): Promise<LoggedIn | undefined> {
    // Perhaps only the token has ended.
    if (provider.generator?.forGatewayAccounts === true) {
      return currentSessions.loginOf(await renewals.renew(session, true))
    }
    await sessions.end(session)
    return undefined
  }

  return {
    async confirm(loggedIn, maxAgeMs) {
      const token = loggedIn?.login.gateway?.token
      if (loggedIn === undefined || token === undefined || (await isTaken(token, maxAgeMs))) return loggedIn
      try {
        return await end(loggedIn)
      } catch (error) {
        if (isAway(error)) return loggedIn
        throw error
      }
    },
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'LOGIN_UNAVAILABLE'
}

function unlessAway(error: unknown): boolean {
  if (isAway(error)) return true
  throw error
}
