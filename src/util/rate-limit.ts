import type { Clock } from './clock.ts'
import { GenerationalCache } from './generational-cache.ts'

const namesKept = 10_000

/** A rate limit: how often each name may do something within a time window. */
export class RateLimit {
  readonly #times: number
  readonly #milliseconds: number
  readonly #now: Clock
  readonly #windows = new GenerationalCache<string, { readonly endsAt: number; count: number }>(namesKept)

  constructor(times: number, milliseconds: number, now: Clock) {
    this.#times = times
    this.#milliseconds = milliseconds
    this.#now = now
  }

  /** 0 if one more is allowed; otherwise the seconds until it is. */
  take(name: string): number {
    const now = this.#now().getTime()
    const window = this.#windows.get(name)
    if (window === undefined || window.endsAt <= now) {
      this.#windows.set(name, { endsAt: now + this.#milliseconds, count: 1 })
      return 0
    }
    window.count += 1
    return window.count <= this.#times ? 0 : Math.ceil((window.endsAt - now) / 1000)
  }
}
