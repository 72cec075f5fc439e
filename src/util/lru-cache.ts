/**
 * A bounded cache. What was used among the last has its place, half as many as there are in all at least; others make
 * room. It keeps two generations instead of an order, so that finding something changes nothing.
 */
export class LruCache<Key, Value> {
  readonly #perGeneration: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  /** `limit` is the greatest number of entries. */
  constructor(limit: number) {
    this.#perGeneration = Math.max(1, Math.floor(limit / 2))
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key)
    this.#young.set(key, value)
    if (this.#young.size < this.#perGeneration) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
