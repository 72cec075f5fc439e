/**
 * Whether somebody who is logged in still has an account at the gateway. One that was deleted, has ended or is disabled
 * ends the session.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { LruCache } from '../../util/lru-cache.ts'
import type { GatewayClient } from '../gateway/gateway-client.ts'
import type { Renewals } from '../token/renewals.ts'
import type { CurrentSessions, LoggedIn } from './current-sessions.ts'
import type { Sessions } from './sessions.ts'

export interface PresenceParts {
  readonly sessions: Pick<Sessions, 'end'>
  readonly currentSessions: CurrentSessions
  readonly renewals: Renewals
  /** Absent where there is no gateway. */
  readonly gateway: Pick<GatewayClient, 'takes'> | undefined
  readonly now: Clock
}

export interface Presence {
  /**
   * Who is logged in; undefined where the session ends here. What the gateway said before may be so old, in milliseconds.
   * While the gateway is away, nothing changes.
   */
  confirm(loggedIn: LoggedIn | undefined, maxAgeMs: number): Promise<LoggedIn | undefined>
}

const tokensKept = 10_000

interface Answer {
  readonly askedAt: number
  readonly isTaken: Promise<boolean>
}

/** The presence of those who are logged in, as a gateway says. */
export function createPresence({
  sessions,
  currentSessions,
  renewals,
  gateway,
  now,
}: PresenceParts): Presence {
  const answers = new LruCache<string, Answer>(tokensKept)

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
      return currentSessions.loginOf(await renewals.renew(session))
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
