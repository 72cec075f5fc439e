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

/**
 * Lets at most so many callers through at a time. Clients (`Waiter.client`) whose callers wait take turns, each caller in
 * the order it came; callers of no client are one client together.
 */
export class Turnstile {
  readonly #reserve: number
  #free: number
  /** Who has the places that are taken. */
  readonly #holders: (string | undefined)[] = []
  /** Callers that wait, by their client; the client whose turn it is comes first. */
  readonly #waiting = new Map<string | undefined, Set<() => void>>()

  /** `reserve` of the places are only for clients that have none. */
  constructor(places: number, reserve = 0) {
    this.#free = places
    this.#reserve = reserve
  }

  /** Runs `work` when there is a place; without `patience` it waits for as long as it takes. */
  async run<Result>(work: () => Promise<Result>, patience?: Patience): Promise<Result> {
    const client = patience?.waiter?.client
    if (this.#mayEnter(client)) this.#take(client)
    else await this.#wait(client, patience)
    try {
      return await work()
    } finally {
      this.#giveBack(client)
    }
  }

  /** Nobody waits who may enter. */
  #mayEnter(client: string | undefined): boolean {
    return this.#free > this.#reserve || (this.#free > 0 && !this.#holders.includes(client))
  }

  #take(client: string | undefined): void {
    this.#free -= 1
    if (this.#reserve > 0) this.#holders.push(client)
  }

  #giveBack(client: string | undefined): void {
    this.#free += 1
    if (this.#reserve > 0) this.#holders.splice(this.#holders.indexOf(client), 1)
    while (this.#waiting.size > 0 && this.#letNextIn()) {
      // A client that gave its only place back may enter beside the one whose turn it was.
    }
  }

  /** Whether somebody was let in. */
  #letNextIn(): boolean {
    for (const [client, callers] of this.#waiting) {
      if (!this.#mayEnter(client)) continue
      const [enter] = callers
      // A client that has had its turn goes behind the others.
      this.#waiting.delete(client)
      this.#waiting.set(client, callers)
      this.#take(client)
      enter?.()
      return true
    }
    return false
  }

  #join(client: string | undefined, enter: () => void): void {
    const callers = this.#waiting.get(client)
    if (callers === undefined) this.#waiting.set(client, new Set([enter]))
    else callers.add(enter)
  }

  #leave(client: string | undefined, enter: () => void): void {
    const callers = this.#waiting.get(client)
    callers?.delete(enter)
    if (callers?.size === 0) this.#waiting.delete(client)
  }

  #wait(client: string | undefined, patience: Patience | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      let stopListening: (() => void) | undefined
      const leave = () => {
        clearTimeout(timer)
        stopListening?.()
        this.#leave(client, enter)
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
      this.#join(client, enter)
    })
  }
}
