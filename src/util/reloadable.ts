import { shareRuns } from './share-runs.ts'

/** A value that is loaded and replaced as a whole. A reload that fails keeps the old value. */
export class Reloadable<Value> {
  #current: Value
  /** Resolves when a value that was loaded after this call is the current one. */
  readonly reload: () => Promise<Value>

  private constructor(load: () => Promise<Value>, current: Value) {
    this.#current = current
    this.reload = shareRuns(async () => {
      this.#current = await load()
      return this.#current
    })
  }

  /** Loads the first value. */
  static async start<Value>(load: () => Promise<Value>): Promise<Reloadable<Value>> {
    return new Reloadable(load, await load())
  }

  current(): Value {
    return this.#current
  }
}
