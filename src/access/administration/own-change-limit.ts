import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { RateLimit } from '../../util/rate-limit.ts'
import { spokenWait } from '../../util/spoken-duration.ts'
import type { Actor, Caller } from '../caller.ts'

/** A caller that acts on its own account. */
export interface OwnActor extends Actor, Pick<Caller, 'tokenHash'> {}

/** Counts a change that an account makes to itself. Throws TOO_MANY_REQUESTS after 30 of them in a minute. */
export type CountOwnChange = (actor: OwnActor) => void

const changesPerMinute = 30

/** The limit on changes of own accounts. */
export function createOwnChangeLimit(now: Clock): CountOwnChange {
  const limit = new RateLimit(changesPerMinute, 60_000, now)
  return ({ account }) => {
    const retryAfter = limit.take(account)
    if (retryAfter === 0) return
    throw new AppError('TOO_MANY_REQUESTS', {
      detail: `An account may change itself ${changesPerMinute} times a minute. Try again in ${spokenWait(retryAfter)}.`,
      headers: { 'retry-after': String(retryAfter) },
    })
  }
}
