import { Semaphore } from '../../util/semaphore.ts'

/** The running logons of one pair of account and client on this node. */
interface Pair {
  readonly entry: Semaphore
  /** How many of them are running. */
  running: number
  ended: PromiseWithResolvers<void>
  /** How many are running or waiting. */
  users: number
}

const waitingLimit = 1000

/**
 * Runs no more concurrent logons of one pair than may still fail: more would be guesses beyond the limit. The others wait
 * for the results of those before them. Pairs do not wait for each other.
 */
export class LogonTurns {
  readonly #limit: number
  readonly #pairs = new Map<string, Pair>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Runs `work` when it is its turn. `look` returns the failures so far, and may throw; `work` gets its last result, and
   * stores its own failure before it ends. Undefined if too many wait already.
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

  /**
   * One after the other, so that meanwhile `running` only shrinks: a logon that ends while `look` runs is counted in any
   * case.
   */
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
