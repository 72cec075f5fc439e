/**
 * A value that is read whole from somewhere and replaced whole when that has changed. Calls for a reload
 * that come while one is running make one more together. A reload that fails keeps the value there was.
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

  /** Done when a value that was read after this call is the current one. */
  reload(): Promise<Value> {
    if (this.#next !== undefined) return this.#next
    if (this.#running === undefined) {
      this.#running = this.#replace().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    // What is running may have read before the change that this call is about.
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
