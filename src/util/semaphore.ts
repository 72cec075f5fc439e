/** Lets a few callers at a time through, in the order they came; a bounded number may wait. */
export class Semaphore {
  readonly #places: number
  readonly #waitingLimit: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(places: number, waitingLimit: number) {
    this.#places = places
    this.#waitingLimit = waitingLimit
  }

  /** Runs `work` when it is its turn; undefined, at once, when too many wait already. */
  run<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#taken < this.#places) {
      this.#taken += 1
      return this.#work(work)
    }
    if (this.#waiting.length >= this.#waitingLimit) return undefined
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#work(work))
  }

  async #work<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }
}
