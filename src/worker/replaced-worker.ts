/** A worker that is restarted when it has ended. */
export interface Replaceable {
  readonly isOver: boolean
  /** Resolved when it has ended and released everything. */
  readonly gone: Promise<void>
  end(): Promise<void>
}

/** A worker that is started on first use, and again when the previous one has ended. */
export class ReplacedWorker<W extends Replaceable> {
  readonly #start: () => Promise<W> | W
  readonly #closedError: () => Error
  #current: Promise<W> | undefined
  #isClosed = false

  /** `closedError` creates the error for callers after closing. */
  constructor(start: () => Promise<W> | W, closedError: () => Error) {
    this.#start = start
    this.#closedError = closedError
  }

  /** The running worker. Throws what starting it throws; the next caller starts it again. */
  async running(): Promise<W> {
    for (;;) {
      if (this.#isClosed) throw this.#closedError()
      this.#current ??= (async () => this.#start())()
      const asked = this.#current
      try {
        const worker = await asked
        if (!worker.isOver) return worker
        await worker.gone
      } catch (error) {
        this.#forget(asked)
        throw error
      }
      this.#forget(asked)
    }
  }

  /** Ends the worker. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = await this.#current?.catch(() => undefined)
    await worker?.end()
  }

  #forget(asked: Promise<W>): void {
    if (this.#current === asked) this.#current = undefined
  }
}
