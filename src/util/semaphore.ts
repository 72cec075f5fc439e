import type { CancellationToken } from './cancellation-token.ts'

/** How long a caller waits for a place, and what it is refused with. */
export interface WaitLimits {
  readonly waitMs: number
  readonly cancellation: CancellationToken | undefined
  /** How many milliseconds more a caller has whose time is over, and who waits since a time by `performance.now`; 0 for none. */
  readonly moreMs?: (since: number) => number
  /** Absent for work that nobody ends for the sake of others. */
  readonly preemption?: Preemption | undefined
  /** The error for a caller whose time is over, or who went away. */
  readonly refuse: (reason: 'late' | 'aborted') => Error
}

/**
 * How clients that have no place come by one when others keep all of them: after a slice of time the work of another one is
 * ended, of the one that has most places, and what has run longest, for a slice at least. A client whose work was ended ends
 * none for a while, and leaves the reserve to others.
 */
export interface Preemption {
  /** A slice, in milliseconds; a part of it where more clients wait than there are places. */
  readonly afterMs: number
  /** Ends the work of this caller. It gives its place back when it is done. */
  readonly end: () => void
}

/** Work that has a place. */
interface Holder {
  readonly client: string | undefined
  /** By `performance.now`. */
  readonly since: number
  readonly preemption: Preemption | undefined
  isEnding: boolean
}

/** Callers of one client that wait, in the order they came. */
interface Waiting {
  readonly client: string | undefined
  readonly callers: (() => void)[]
}

/** Who waits no longer, in milliseconds, is not worth listening for whether they go away. */
const shortMs = 20
/** How often a client that waits for a place is looked at in the time after which it may have that of another one. */
const preemptionChecks = 8
/** For how long a client is known for work that was ended for others. */
const endedMs = 60_000

/**
 * Lets at most so many callers through at a time. Clients (`CancellationToken.client`) whose callers wait take turns, each caller in
 * the order it came; callers of no client are one client together. Callers are kept in lists: sets and maps that change
 * with each request would keep requests alive until the garbage collector looks at everything.
 */
export class Semaphore {
  readonly #places: number
  readonly #reserve: number
  #free: number
  readonly #holders: Holder[] = []
  /** Clients whose work was ended for others, and when, by `performance.now`. */
  readonly #ended = new Map<string | undefined, number>()
  /** The client whose turn it is comes first. */
  readonly #waiting: Waiting[] = []

  /** `reserve` of the places are only for clients that have none. */
  constructor(places: number, reserve = 0) {
    this.#places = places
    this.#free = places
    this.#reserve = reserve
  }

  /** Runs `work` when there is a place; without `waitLimits` it waits for as long as it takes. */
  async run<Result>(work: () => Promise<Result>, waitLimits?: WaitLimits): Promise<Result> {
    const client = waitLimits?.cancellation?.client
    const holder = this.#mayEnter(client)
      ? this.#take(client, waitLimits?.preemption)
      : await this.#wait(client, waitLimits)
    try {
      return await work()
    } finally {
      this.#giveBack(holder)
    }
  }

  /** The same; undefined, at once, when so many callers wait already. */
  runUnlessCrowded<Result>(work: () => Promise<Result>, mostWaiting: number): Promise<Result> | undefined {
    const waiting = this.#waiting.reduce((sum, { callers }) => sum + callers.length, 0)
    return waiting >= mostWaiting && !this.#mayEnter(undefined) ? undefined : this.run(work)
  }

  /** Nobody waits who may enter. */
  #mayEnter(client: string | undefined): boolean {
    if (this.#free > this.#reserve) return true
    return this.#free > 0 && this.#placesOf(client) === 0 && !this.#wasEnded(client)
  }

  #wasEnded(client: string | undefined): boolean {
    if (this.#ended.size === 0) return false
    const since = this.#ended.get(client)
    if (since !== undefined && performance.now() - since >= endedMs) this.#ended.delete(client)
    return this.#ended.has(client)
  }

  #placesOf(client: string | undefined): number {
    let places = 0
    for (const holder of this.#holders) if (holder.client === client) places += 1
    return places
  }

  #take(client: string | undefined, preemption: Preemption | undefined): Holder {
    const holder: Holder = { client, since: performance.now(), preemption, isEnding: false }
    this.#free -= 1
    this.#holders.push(holder)
    return holder
  }

  #giveBack(holder: Holder): void {
    this.#free += 1
    removeFrom(this.#holders, holder)
    while (this.#waiting.length > 0 && this.#letNextIn()) {
      // A client that gave its only place back may enter beside the one whose turn it was.
    }
  }

  /** For a caller that waits since a time. */
  #preemptFor(client: string | undefined, since: number, { afterMs }: Preemption): NodeJS.Timeout {
    return setInterval(() => this.#preempt(client, since, afterMs), afterMs / preemptionChecks)
  }

  /** Ends work for a client that waits without having a place, unless enough is being ended for all such clients. */
  #preempt(client: string | undefined, since: number, afterMs: number): void {
    const without = this.#waiting
      .map((waiting) => waiting.client)
      .filter((waiting) => this.#placesOf(waiting) === 0 && !this.#wasEnded(waiting))
    const sliceMs = afterMs * Math.min(1, this.#places / without.length)
    const now = performance.now()
    if (!without.includes(client) || now - since < sliceMs) return
    const running = this.#holders.filter(({ isEnding }) => !isEnding)
    if (this.#holders.length - running.length >= without.length) return
    const places = Map.groupBy(running, (holder) => holder.client)
    const countOf = (holder: Holder) => places.get(holder.client)?.length ?? 0
    const [longest] = running
      .filter((holder) => holder.preemption !== undefined && now - holder.since >= sliceMs)
      .sort((a, b) => countOf(b) - countOf(a) || a.since - b.since)
    if (longest === undefined) return
    longest.isEnding = true
    this.#ended.set(longest.client, now)
    longest.preemption?.end()
  }

  /** Whether somebody was let in: those first whose work was not ended. */
  #letNextIn(): boolean {
    const mayEnter = ({ client }: Waiting) => this.#mayEnter(client)
    const next =
      this.#waiting.find((waiting) => !this.#wasEnded(waiting.client) && mayEnter(waiting)) ??
      this.#waiting.find(mayEnter)
    if (next === undefined) return false
    // A client that has had its turn goes behind the others.
    removeFrom(this.#waiting, next)
    this.#waiting.push(next)
    next.callers[0]?.()
    return true
  }

  #join(client: string | undefined, enter: () => void): void {
    const waiting = this.#waiting.find((known) => known.client === client)
    if (waiting === undefined) this.#waiting.push({ client, callers: [enter] })
    else waiting.callers.push(enter)
  }

  #leave(client: string | undefined, enter: () => void): void {
    const waiting = this.#waiting.find((known) => known.client === client)
    if (waiting === undefined) return
    removeFrom(waiting.callers, enter)
    if (waiting.callers.length === 0) removeFrom(this.#waiting, waiting)
  }

  #wait(client: string | undefined, waitLimits: WaitLimits | undefined): Promise<Holder> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      let stopListening: (() => void) | undefined
      const leave = () => {
        clearTimeout(timer)
        clearInterval(preempting)
        stopListening?.()
        this.#leave(client, enter)
      }
      const enter = () => {
        leave()
        resolve(this.#take(client, waitLimits?.preemption))
      }
      const giveUp = (reason: 'late' | 'aborted') => {
        leave()
        reject(waitLimits?.refuse(reason))
      }
      const timeIsOver = () => {
        const more = waitLimits?.moreMs?.(since) ?? 0
        if (more <= 0) return giveUp('late')
        timer = setTimeout(timeIsOver, more)
      }
      const waitOn = (waitMs: number, cancellation: CancellationToken) => {
        if (cancellation.isCancelled) return giveUp('aborted')
        stopListening = cancellation.onCancelled(() => giveUp('aborted'))
        timer = setTimeout(timeIsOver, waitMs)
        preempting = waitLimits?.preemption && this.#preemptFor(client, since, waitLimits.preemption)
      }
      let timer: NodeJS.Timeout | undefined
      let preempting: NodeJS.Timeout | undefined
      if (waitLimits !== undefined) {
        const { waitMs, cancellation } = waitLimits
        timer =
          cancellation === undefined || waitMs <= shortMs
            ? setTimeout(timeIsOver, waitMs)
            : setTimeout(() => waitOn(waitMs - shortMs, cancellation), shortMs)
      }
      this.#join(client, enter)
    })
  }
}

/** Removes an item that is in the list, if it is. */
function removeFrom<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
}
