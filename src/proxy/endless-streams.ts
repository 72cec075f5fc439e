/** Streams that never end by themselves. */
export class EndlessStreams {
  readonly #ends = new Set<() => void>()
  #isOver = false

  /** Takes a function that ends a stream; returns one to call when the stream has ended by itself. */
  add(end: () => void): () => void {
    if (this.#isOver) end()
    else this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  /** Ends all of them, and all future ones. */
  end(): void {
    this.#isOver = true
    for (const end of this.#ends) end()
  }
}
