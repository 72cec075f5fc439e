/** Rate limits of accounts, across all nodes, with few accesses to the store. */
import * as v from 'valibot'
import { DatabaseError } from '../../database/database-error.ts'
import { strictObject } from '../../documents/document-schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import { counted, spokenDuration, spokenWait } from '../../util/spoken-duration.ts'

/** A number of requests in a number of seconds. */
export interface RequestLimits {
  readonly requests: number
  readonly per: number
}

/** Parses limits. The windows are fixed; they begin at multiples of `per` since 1970. */
export const limitsSchema = strictObject({
  requests: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000)),
  per: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400)),
})

/**
 * The limits of an account: its own; otherwise, of those of its roles, the most generous in the long run. Undefined
 * without limits.
 */
export function limitsOf(
  own: RequestLimits | undefined,
  ofRoles: readonly (RequestLimits | undefined)[],
): RequestLimits | undefined {
  if (own !== undefined) return own
  const [largest] = ofRoles
    .filter((limits) => limits !== undefined)
    .sort((a, b) => b.requests / b.per - a.requests / a.per || b.requests - a.requests)
  return largest
}

/** The result of counting one request. */
export interface RequestCount {
  readonly isAllowed: boolean
  /** `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`; the remaining number is what this node knows. */
  readonly headers: Readonly<Record<string, string>>
}

/** A limit is reserved from the store in this many parts, so a node accesses the store at most that often in a window. */
const parts = 20
const accountsKept = 10_000

interface Window {
  readonly start: number
  /** Reserved from the store and not used yet. */
  held: number
  /** Left in the store at the last access. */
  left: number
  /** Requests that wait for the store. */
  waiting: number
  asking: Promise<void> | undefined
}

/**
 * Counts requests. Each node reserves parts of an account's window from the store, never more than the limit in all. What
 * one node reserves and does not use is lost to the others until the window ends.
 */
export class RequestLimiter {
  readonly #store: Pick<Store, 'transaction' | 'requestCounts'>
  readonly #now: Clock
  readonly #windows = new GenerationalCache<string, Window>(accountsKept)

  constructor(store: Pick<Store, 'transaction' | 'requestCounts'>, now: Clock) {
    this.#store = store
    this.#now = now
  }

  /** Counts one request; synchronous if the store is not needed. */
  count(account: string, limits: RequestLimits): RequestCount | Promise<RequestCount> {
    const window = this.#windowOf(account, limits)
    return this.#take(window, limits) ?? this.#countAfterAsking(account, limits)
  }

  async #countAfterAsking(account: string, limits: RequestLimits): Promise<RequestCount> {
    for (;;) {
      const window = this.#windowOf(account, limits)
      const count = this.#take(window, limits)
      if (count !== undefined) return count
      window.waiting += 1
      window.asking ??= this.#ask(account, window, limits)
      await window.asking
    }
  }

  #windowOf(account: string, { per }: RequestLimits): Window {
    const start = Math.floor(this.#now().getTime() / 1000 / per) * per
    const known = this.#windows.get(account)
    if (known !== undefined && known.start === start) return known
    const window = { start, held: 0, left: Number.POSITIVE_INFINITY, waiting: 0, asking: undefined }
    this.#windows.set(account, window)
    return window
  }

  /** Undefined if the store is needed. */
  #take(window: Window, limits: RequestLimits): RequestCount | undefined {
    const isAllowed = window.held > 0
    if (!isAllowed && window.left > 0) return undefined
    if (isAllowed) window.held -= 1
    const reset = Math.max(1, Math.ceil(window.start + limits.per - this.#now().getTime() / 1000))
    return {
      isAllowed,
      headers: {
        'ratelimit-limit': String(limits.requests),
        'ratelimit-remaining': String(window.held + window.left),
        'ratelimit-reset': String(reset),
      },
    }
  }

  async #ask(account: string, window: Window, { requests }: RequestLimits): Promise<void> {
    const wanted = Math.max(Math.ceil(requests / parts), window.waiting)
    try {
      const { granted, left } = await this.#store.requestCounts.take(this.#store, {
        account,
        start: window.start,
        wanted,
        limit: requests,
      })
      window.held += granted
      window.left = left
    } catch (error) {
      if (!(error instanceof DatabaseError && error.kind === 'full')) throw error
      // If nothing can be written, reading continues, and each node counts for itself.
      window.held += requests
      window.left = 0
    } finally {
      window.asking = undefined
      window.waiting = 0
    }
  }
}

/** The error for a request beyond the limit. */
export function tooManyRequests({ headers }: RequestCount, { requests, per }: RequestLimits): AppError {
  const wait = headers['ratelimit-reset'] ?? '1'
  const allowed = `${counted(requests, 'request')} in ${spokenDuration(per)}`
  return new AppError('TOO_MANY_REQUESTS', {
    detail: `This account may make ${allowed}. Try again in ${spokenWait(Number(wait))}.`,
    headers: { ...headers, 'retry-after': wait },
  })
}
