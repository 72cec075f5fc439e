import { Semaphore } from '../../util/semaphore.ts'

/** The logons of one pair of account and client that are under way on this node. */
interface Pair {
  readonly entry: Semaphore
  /** How many of them have begun and not ended. */
  running: number
  ended: PromiseWithResolvers<void>
  /** How many of them there are with those that wait. */
  users: number
}

const waitingLimit = 1000

/**
 * Lets no more logons of one pair run at the same time than may still fail: more would be guesses beyond the limit. The
 * others wait until it is known how those before them ended. Pairs do not wait for each other.
 */
export class LogonTurns {
  readonly #limit: number
  readonly #pairs = new Map<string, Pair>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Runs `work` when it is its turn. `look` is asked for the failures that there have been, and may throw; `work` gets the
   * last answer, and writes its own failure before it ends. Undefined when too many wait already.
   */
  async run<Seen extends { readonly failures: number }, Result>(
    key: string,
    look: () => Promise<Seen>,
    work: (seen: Seen) => Promise<Result>,
  ): Promise<Result | undefined> {
    const pair = this.#pairs.get(key) ?? {
      entry: new Semaphore(1),
      running: 0,
      ended: Promise.withResolvers<void>(),
      users: 0,
    }
    this.#pairs.set(key, pair)
    pair.users += 1
    try {
      const seen = await pair.entry.runUnlessCrowded(() => this.#enter(pair, look), waitingLimit)
      return seen === undefined ? undefined : await runIn(pair, () => work(seen))
    } finally {
      pair.users -= 1
      if (pair.users === 0) this.#pairs.delete(key)
    }
  }

  /** One after the other, so that meanwhile `running` only shrinks: whoever ends while `look` runs is counted in any case. */
  async #enter<Seen extends { readonly failures: number }>(
    pair: Pair,
    look: () => Promise<Seen>,
  ): Promise<Seen> {
    for (;;) {
      const { running, ended } = pair
      const seen = await look()
      if (seen.failures + running < this.#limit || running === 0) {
        pair.running += 1
        return seen
      }
      await ended.promise
    }
  }
}

async function runIn<Result>(pair: Pair, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } finally {
    pair.running -= 1
    pair.ended.resolve()
    pair.ended = Promise.withResolvers()
  }
}
