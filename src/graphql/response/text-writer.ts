const pieceLength = 16_384

/** Puts a long text together piece by piece, without copying what is already there. */
export class TextWriter {
  readonly #pieces: string[] = []
  #text = ''
  #length = 0

  write(text: string): void {
    this.#text += text
    if (this.#text.length > pieceLength) {
      this.#length += this.#text.length
      this.#pieces.push(this.#text)
      this.#text = ''
    }
  }

  get length(): number {
    return this.#length + this.#text.length
  }

  /** What was written since the last time; the writer is then empty. */
  take(): string {
    const text = this.#pieces.length === 0 ? this.#text : this.#pieces.join('') + this.#text
    this.#pieces.length = 0
    this.#text = ''
    this.#length = 0
    return text
  }
}
