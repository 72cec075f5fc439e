import type { CancellationToken } from './cancellation-token.ts'

/** How long a caller waits for a slot, and the error if it gets none. */
export interface WaitLimits {
  readonly waitMs: number
  readonly cancellation: CancellationToken | undefined
  /**
   * How many milliseconds more a caller may wait after its time-out; it has waited since `since`
   * (`performance.now`).
   */
  readonly moreMs?: (since: number) => number
  /** Absent for work that is never ended for the sake of others. */
  readonly preemption?: Preemption | undefined
  /** The error for a caller that timed out or cancelled. */
  readonly refuse: (reason: 'late' | 'aborted') => Error
}

/**
 * How clients without a slot get one when others hold all: after a time slice, of the client with
 * the most slots, the work that has run longest, and at least for a slice, is ended. A client whose
 * work was ended cannot preempt others for a while, and leaves the reserve to others.
 */
export interface Preemption {
  /** The time slice in milliseconds; shorter if more clients wait than there are slots. */
  readonly afterMs: number
  /** Ends the work of this caller, which releases its slot when it is done. */
  readonly end: () => void
}

/** Work that holds a slot. */
interface Holder {
  readonly client: string | undefined
  /** By `performance.now`. */
  readonly since: number
  readonly preemption: Preemption | undefined
  isEnding: boolean
}

/** The waiting callers of one client, first in, first out. */
interface WaitingClient {
  readonly client: string | undefined
  readonly callers: (() => void)[]
}

/** Callers that wait for less than this (ms) need no listener for cancellation. */
const shortMs = 20
/** How often a waiting client is checked within the time after which it may preempt another one. */
const preemptionChecks = 8
/** How long it counts that a client's work was ended for others. */
const endedMs = 60_000

/**
 * A fair semaphore. Clients (`CancellationToken.client`) take turns, the callers of each in the
 * order they came; callers without a client count as one client. Callers are kept in lists: sets
 * and maps that change with each request would keep requests alive until a full garbage collection.
 */
export class Semaphore {
  /** How many callers may have one at the same time. */
  readonly slots: number
  readonly #reserve: number
  #free: number
  readonly #holders: Holder[] = []
  /** Clients whose work was ended for others, and when (`performance.now`). */
  readonly #ended = new Map<string | undefined, number>()
  /** The client whose turn is next comes first. */
  readonly #waiting: WaitingClient[] = []

  /** `reserve` of the slots are only for clients that hold none. */
  constructor(slots: number, reserve = 0) {
    this.slots = slots
    this.#free = slots
    this.#reserve = reserve
  }

  /** How many slots are taken. */
  get taken(): number {
    return this.slots - this.#free
  }

  /** How many callers wait for one. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { callers }) => sum + callers.length, 0)
  }

  /**
   * Runs `work` when there is a free slot; without `waitLimits` it waits for as long as it takes.
   */
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

  /** The same; returns undefined at once if `mostWaiting` callers wait already. */
  runUnlessCrowded<Result>(work: () => Promise<Result>, mostWaiting: number): Promise<Result> | undefined {
    const waiting = this.#waiting.reduce((sum, { callers }) => sum + callers.length, 0)
    return waiting >= mostWaiting && !this.#mayEnter(undefined) ? undefined : this.run(work)
  }

  /** No waiting caller may enter. */
  #mayEnter(client: string | undefined): boolean {
    if (this.#free > this.#reserve) return true
    return this.#free > 0 && this.#slotsOf(client) === 0 && !this.#wasEnded(client)
  }

  #wasEnded(client: string | undefined): boolean {
    if (this.#ended.size === 0) return false
    const since = this.#ended.get(client)
    if (since !== undefined && performance.now() - since >= endedMs) this.#ended.delete(client)
    return this.#ended.has(client)
  }

  #slotsOf(client: string | undefined): number {
    let slots = 0
    for (const holder of this.#holders) if (holder.client === client) slots += 1
    return slots
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
      // A client that released its only slot may now enter as well.
    }
  }

  /** For a caller that has waited since `since`. */
  #preemptFor(client: string | undefined, since: number, { afterMs }: Preemption): NodeJS.Timeout {
    return setInterval(() => this.#preempt(client, since, afterMs), afterMs / preemptionChecks)
  }

  /**
   * Ends work for a client that waits without a slot, unless enough is being ended for all such
   * clients.
   */
  #preempt(client: string | undefined, since: number, afterMs: number): void {
    const without = this.#waiting
      .map((waiting) => waiting.client)
      .filter((waiting) => this.#slotsOf(waiting) === 0 && !this.#wasEnded(waiting))
    const sliceMs = afterMs * Math.min(1, this.slots / without.length)
    const now = performance.now()
    if (!without.includes(client) || now - since < sliceMs) return
    const running = this.#holders.filter(({ isEnding }) => !isEnding)
    if (this.#holders.length - running.length >= without.length) return
    const slots = Map.groupBy(running, (holder) => holder.client)
    const countOf = (holder: Holder) => slots.get(holder.client)?.length ?? 0
    const [longest] = running
      .filter((holder) => holder.preemption !== undefined && now - holder.since >= sliceMs)
      .sort((a, b) => countOf(b) - countOf(a) || a.since - b.since)
    if (longest === undefined) return
    longest.isEnding = true
    this.#ended.set(longest.client, now)
    longest.preemption?.end()
  }

  /** Whether a caller was let in: first those whose work was not ended for others. */
  #letNextIn(): boolean {
    const mayEnter = ({ client }: WaitingClient) => this.#mayEnter(client)
    const next =
      this.#waiting.find((waiting) => !this.#wasEnded(waiting.client) && mayEnter(waiting)) ??
      this.#waiting.find(mayEnter)
    if (next === undefined) return false
    // A client that has had its turn goes to the end.
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

/** Removes an item from the list, if it is there. */
function removeFrom<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
}
