/**
 * A bounded cache, approximately LRU: at least the most recently used half of the entries stays. It
 * keeps two generations instead of an order, so that a lookup changes nothing. Values may have
 * weights; then the half is that of the total weight, and a value heavier than that is not kept.
 */
export class GenerationalCache<Key, Value> {
  readonly #perGeneration: number
  readonly #weightOf: (value: Value) => number
  #young = new Map<Key, Value>()
  #youngWeight = 0
  #old = new Map<Key, Value>()

  /** `limit` is the largest number of entries, or their largest total weight. */
  constructor(limit: number, weightOf: (value: Value) => number = () => 1) {
    this.#perGeneration = Math.max(1, Math.floor(limit / 2))
    this.#weightOf = weightOf
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    const weight = this.#weightOf(value)
    this.delete(key)
    if (weight > this.#perGeneration) return
    if (this.#youngWeight + weight > this.#perGeneration) this.#age()
    this.#young.set(key, value)
    this.#youngWeight += weight
    if (this.#youngWeight >= this.#perGeneration) this.#age()
  }

  delete(key: Key): void {
    const value = this.#young.get(key)
    if (value !== undefined && this.#young.delete(key)) this.#youngWeight -= this.#weightOf(value)
    this.#old.delete(key)
  }

  clear(): void {
    this.#age()
    this.#old.clear()
  }

  #age(): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#youngWeight = 0
  }
}
