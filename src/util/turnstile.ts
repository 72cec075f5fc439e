import type { Waiter } from './waiter.ts'

/** How long a caller waits at a turnstile, and what it is refused with. */
export interface Patience {
  readonly waitMs: number
  readonly waiter: Waiter | undefined
  /** How many milliseconds more a caller has whose time is over, and who waits since a time by `performance.now`; 0 for none. */
  readonly moreMs?: (since: number) => number
  /** The error for a caller whose time is over, or who went away. */
  readonly refuse: (reason: 'late' | 'aborted') => Error
}

/** Who waits no longer, in milliseconds, is not worth listening for whether they go away. */
const shortMs = 20

/** Lets at most so many callers through at a time, in the order they came. */
export class Turnstile {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(places: number) {
    this.#free = places
  }

  /** Runs `work` when there is a place; without `patience` it waits for as long as it takes. */
  async run<Result>(work: () => Promise<Result>, patience?: Patience): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(patience)
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  #wait(patience: Patience | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      let stopListening: (() => void) | undefined
      const leave = () => {
        clearTimeout(timer)
        stopListening?.()
        this.#waiting.delete(enter)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const giveUp = (reason: 'late' | 'aborted') => {
        leave()
        reject(patience?.refuse(reason))
      }
      const timeIsOver = () => {
        const more = patience?.moreMs?.(since) ?? 0
        if (more <= 0) return giveUp('late')
        timer = setTimeout(timeIsOver, more)
      }
      const waitOn = (waitMs: number, waiter: Waiter) => {
        if (waiter.hasGone) return giveUp('aborted')
        stopListening = waiter.onGone(() => giveUp('aborted'))
        timer = setTimeout(timeIsOver, waitMs)
      }
      let timer: NodeJS.Timeout | undefined
      if (patience !== undefined) {
        const { waitMs, waiter } = patience
        timer =
          waiter === undefined || waitMs <= shortMs
            ? setTimeout(timeIsOver, waitMs)
            : setTimeout(() => waitOn(waitMs - shortMs, waiter), shortMs)
      }
      this.#waiting.add(enter)
    })
  }
}
