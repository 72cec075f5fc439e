/** What was slow for once is taken for slow for so long. */
const mistrustMs = 10_000

/** What is trusted to be quick, for as long as it does not disappoint. */
export class Trust<Key> {
  /** Until when what was given is of no use, by `performance.now`; 0 for what is trusted. */
  readonly #mistrusted: { get(key: Key): number | undefined; set(key: Key, until: number): unknown }

  /** `mistrusted` is what it is remembered in, which may forget. */
  constructor(mistrusted: { get(key: Key): number | undefined; set(key: Key, until: number): unknown }) {
    this.#mistrusted = mistrusted
  }

  has(key: Key): boolean {
    return this.#mistrusted.get(key) === 0
  }

  /** It was quick: it is trusted from now on, unless it disappointed a short time ago. */
  give(key: Key): void {
    const until = this.#mistrusted.get(key)
    if (until === undefined || (until > 0 && until <= performance.now())) this.#mistrusted.set(key, 0)
  }

  withdraw(key: Key): void {
    this.#mistrusted.set(key, performance.now() + mistrustMs)
  }
}
