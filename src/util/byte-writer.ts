/** Appends bytes to a buffer that grows. */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** How many bytes there is room for without more memory. */
  get capacity(): number {
    return this.#bytes.length
  }

  /**
   * The buffer, with room for `count` more bytes after `length`; call `advance` after writing them.
   */
  reserve(count: number): Buffer {
    const needed = this.#length + count
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, needed))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    return this.#bytes
  }

  /** Counts the bytes up to `length` as written. */
  advance(length: number): void {
    this.#length = length
  }

  /** Writes a text in UTF-8. */
  write(text: string): void {
    const bytes = this.reserve(text.length * 3)
    if (text.length > shortText) {
      this.#length += bytes.write(text, this.#length)
      return
    }
    let at = this.#length
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit > lastOneByte) {
        this.#length += bytes.write(text, this.#length)
        return
      }
      bytes[at++] = unit
    }
    this.#length = at
  }

  /** Writes bytes as they are. */
  copy(source: Uint8Array, start: number, end: number): void {
    const bytes = this.reserve(end - start)
    let at = this.#length
    if (end - start > longCopy) {
      bytes.set(source.subarray(start, end), at)
      at += end - start
    } else {
      for (let from = start; from < end; from += 1) bytes[at++] = source[from] as number
    }
    this.#length = at
  }

  /** Writes the bytes between two positions once more. */
  repeat(start: number, end: number): void {
    const bytes = this.reserve(end - start)
    bytes.copyWithin(this.#length, start, end)
    this.#length += end - start
  }

  /** Removes everything after an earlier length. */
  truncate(length: number): void {
    this.#length = length
  }

  /** What was written and not taken, without a copy. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** What was written since the last call, in a separate buffer; the writer is then empty. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return taken
  }
}

/** Texts of up to so many UTF-16 units are written faster unit by unit than by a call, as long as each is one byte. */
const shortText = 24
const lastOneByte = 0x7f

/** Shorter runs are copied faster byte by byte than by a call. */
const longCopy = 48
