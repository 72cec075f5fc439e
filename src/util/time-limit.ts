import type { CancellationToken } from './cancellation-token.ts'

/**
 * A token that is cancelled when work takes too long, or when another token is. Time in which the
 * work waits for others does not count.
 */
export class TimeLimit implements CancellationToken {
  readonly #client: CancellationToken | undefined
  /** When the time is over, by `performance.now`. */
  #end: number
  #isOver = false

  /** `milliseconds` may be infinite. */
  constructor(milliseconds: number, client: CancellationToken | undefined) {
    this.#client = client
    this.#end = performance.now() + milliseconds
  }

  get client(): string | undefined {
    return this.#client?.client
  }

  get cause(): string | undefined {
    return this.#client?.cause
  }

  /** Whether the time is over; the client may still be waiting. */
  get isOver(): boolean {
    this.#isOver ||= performance.now() >= this.#end
    return this.#isOver
  }

  get isCancelled(): boolean {
    return (this.#client?.isCancelled ?? false) || this.isOver
  }

  onCancelled(listener: () => void): () => void {
    const stopListening = this.#client?.onCancelled(listener)
    const left = this.#end - performance.now()
    const timer =
      left > longestTimer
        ? undefined
        : setTimeout(
            () => {
              this.#isOver = true
              listener()
            },
            Math.max(0, left),
          )
    return () => {
      clearTimeout(timer)
      stopListening?.()
    }
  }

  /** Runs `wait`, whose time does not count. */
  async without<Result>(wait: () => Promise<Result>): Promise<Result> {
    const since = performance.now()
    try {
      return await wait()
    } finally {
      this.#end += performance.now() - since
    }
  }
}

/** Node.js timers count milliseconds in 31 bits. */
const longestTimer = 2 ** 31 - 1
