/** Streams that have no end of their own, so that somebody has to end them. */
export class EndlessStreams {
  readonly #ends = new Set<() => void>()
  #isOver = false

  /** Takes the way to end a stream; gives what to do when it has ended by itself. */
  add(end: () => void): () => void {
    if (this.#isOver) end()
    else this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  /** Ends all of them, and each one that comes from now on. */
  end(): void {
    this.#isOver = true
    for (const end of this.#ends) end()
  }
}
