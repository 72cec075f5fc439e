/** Notices when the first of those who wait in a line has been the first for too long. */
export class HeadOfLineTimeout {
  readonly #timeoutMs: number
  readonly #onLate: () => void
  #waiting = 0
  /** How many have left the line at its head. */
  #served = 0
  /** Since when the first one is the first, by `performance.now`. */
  #since = 0
  #timer: NodeJS.Timeout | undefined

  /** `onLate` is called when the first one has waited for `timeoutMs`. */
  constructor(timeoutMs: number, onLate: () => void) {
    this.#timeoutMs = timeoutMs
    this.#onLate = onLate
  }

  /** Another one waits behind all others. */
  joined(): void {
    this.#waiting += 1
    if (this.#waiting > 1) return
    this.#since = performance.now()
    this.#timer ??= setTimeout(() => this.#look(), this.#timeoutMs)
  }

  /** The first one does not wait any more. */
  served(): void {
    this.#waiting -= 1
    this.#served += 1
    if (this.#waiting > 0) this.#since = performance.now()
  }

  /** No one waits any more. */
  stop(): void {
    this.#waiting = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#timer = undefined
    if (this.#waiting === 0) return
    const left = this.#since + this.#timeoutMs - performance.now()
    if (left > 0) {
      this.#timer = setTimeout(() => this.#look(), left)
      return
    }
    // The answer may be there already, and it is we who are late.
    const served = this.#served
    setImmediate(() => {
      if (this.#waiting === 0) return
      if (served === this.#served) this.#onLate()
      else this.#timer ??= setTimeout(() => this.#look(), this.#timeoutMs)
    })
  }
}
