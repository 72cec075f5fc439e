/**
 * A value that is loaded and replaced as a whole. Calls for a reload that come while one is running
 * share one further reload. A reload that fails keeps the old value.
 */
export class Reloadable<Value> {
  readonly #load: () => Promise<Value>
  #current: Value
  #running: Promise<Value> | undefined
  #next: Promise<Value> | undefined

  private constructor(load: () => Promise<Value>, current: Value) {
    this.#load = load
    this.#current = current
  }

  /** Loads the first value. */
  static async start<Value>(load: () => Promise<Value>): Promise<Reloadable<Value>> {
    return new Reloadable(load, await load())
  }

  current(): Value {
    return this.#current
  }

  /** Resolves when a value that was loaded after this call is the current one. */
  reload(): Promise<Value> {
    if (this.#next !== undefined) return this.#next
    if (this.#running === undefined) {
      this.#running = this.#replace().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    // The running load may have read before the change that this call is about.
    this.#next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.reload()
      })
    return this.#next
  }

  async #replace(): Promise<Value> {
    this.#current = await this.#load()
    return this.#current
  }
}
