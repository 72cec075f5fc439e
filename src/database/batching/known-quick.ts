/** What was slow once counts as slow for so long. */
const pauseMs = 10_000

/** Where verdicts are kept, by key; it may forget. Each is the time until which the key counts as slow; 0 for quick. */
interface Verdicts<Key> {
  get(key: Key): number | undefined
  set(key: Key, slowUntil: number): unknown
}

/** Which keys are known to be quick, until one is slow. */
export class KnownQuick<Key> {
  /** By `performance.now`. */
  readonly #verdicts: Verdicts<Key>

  constructor(verdicts: Verdicts<Key>) {
    this.#verdicts = verdicts
  }

  has(key: Key): boolean {
    return this.#verdicts.get(key) === 0
  }

  /** It was quick: it counts as quick from now on, unless it was slow a short time ago. */
  add(key: Key): void {
    const slowUntil = this.#verdicts.get(key)
    if (slowUntil === undefined || (slowUntil > 0 && slowUntil <= performance.now()))
      this.#verdicts.set(key, 0)
  }

  /** It was slow. */
  remove(key: Key): void {
    this.#verdicts.set(key, performance.now() + pauseMs)
  }
}
