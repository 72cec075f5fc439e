/** Bytes one after the other, in a buffer that grows. */
export class ByteWriter {
  #out = Buffer.allocUnsafe(65_536)
  #length = 0

  #reserve(count: number): void {
    if (this.#length + count <= this.#out.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#length + count))
    this.#out.copy(larger, 0, 0, this.#length)
    this.#out = larger
  }

  text(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#out.write(text, this.#length, 'latin1')
  }

  bytes(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start)
    const out = this.#out
    let at = this.#length
    for (let from = start; from < end; from += 1) out[at++] = source[from] as number
    this.#length = at
  }

  /** A value as a JSON text. */
  quoted(source: Uint8Array, start: number, end: number): void {
    this.#reserve((end - start) * 6 + 2)
    const out = this.#out
    let at = this.#length
    out[at++] = 34
    for (let from = start; from < end; from += 1) {
      const byte = source[from] as number
      if (byte === 34 || byte === 92) out[at++] = 92
      else if (byte < 32) {
        at += out.write(JSON.stringify(String.fromCharCode(byte)).slice(1, -1), at, 'latin1')
        continue
      }
      out[at++] = byte
    }
    out[at++] = 34
    this.#length = at
  }

  /** A moment, which has a blank between day and time. */
  moment(source: Uint8Array, start: number, end: number): void {
    this.quoted(source, start, end)
    this.#out[this.#length - (end - start) + 9] = 84
  }

  /** What was written; the writer is then empty. */
  take(): Buffer {
    const taken = Buffer.from(this.#out.subarray(0, this.#length))
    this.#length = 0
    return taken
  }
}
