const pieceLength = 16_384

/** Puts a long text together piece by piece, without copying what is already there. */
export class TextWriter {
  readonly #pieces: string[] = []
  #text = ''

  write(text: string): void {
    this.#text += text
    if (this.#text.length > pieceLength) {
      this.#pieces.push(this.#text)
      this.#text = ''
    }
  }

  finish(): string {
    return this.#pieces.length === 0 ? this.#text : this.#pieces.join('') + this.#text
  }
}
