/**
 * Parts what a PostgreSQL server sends: the rows of statements that want them as bytes, and everything else, in the
 * order in which it came. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Receives the row messages of one answer, in runs that may begin and end within a message. */
export interface RowSink {
  /** Another row begins. */
  count(): void
  add(bytes: Buffer): void
}

const dataRow = 0x44
const readyForQuery = 0x5a
const headLength = 5
/** The server has no longer messages: https://www.postgresql.org/docs/current/limits.html */
const longestMessage = 0x40000000

export class MessageSplitter {
  readonly #passOn: (bytes: Buffer) => void
  readonly #expected: (RowSink | undefined)[] = []
  /** The start of a message whose head is not there yet. */
  #rest: Buffer | undefined
  /** How many bytes of the message under way are still to come, and whether it is a row that is wanted. */
  #missing = 0
  #inRow = false

  /** `passOn` gets everything that is no row that somebody wants. */
  constructor(passOn: (bytes: Buffer) => void) {
    this.#passOn = passOn
  }

  /** Another answer is asked for, which ends when the server is ready again; `sink` gets its rows, where there is one. */
  expect(sink: RowSink | undefined): void {
    this.#expected.push(sink)
  }

  /** Reads what came. Throws for what no server sends; nothing is to be read then any more. */
  read(came: Buffer): void {
    const bytes = this.#rest === undefined ? came : Buffer.concat([this.#rest, came])
    this.#rest = undefined
    let from = 0
    let at = 0
    while (at < bytes.length) {
      if (this.#missing > 0) {
        const length = Math.min(this.#missing, bytes.length - at)
        this.#missing -= length
        at += length
        continue
      }
      if (bytes.length - at < headLength) {
        this.#rest = bytes.subarray(at)
        break
      }
      const type = bytes[at]
      const length = bytes.readInt32BE(at + 1)
      if (length < 4 || length > longestMessage)
        throw new Error('The server sent a message without a length.')
      const isWanted = type === dataRow && this.#expected[0] !== undefined
      if (isWanted !== this.#inRow) {
        this.#handOver(bytes, from, at)
        from = at
        this.#inRow = isWanted
      }
      if (isWanted) this.#expected[0]?.count()
      this.#missing = length + 1
      if (type === readyForQuery) {
        // What is passed on may ask for the next answer: this one's end comes first.
        this.#handOver(bytes, from, at)
        from = at
        this.#expected.shift()
      }
    }
    this.#handOver(bytes, from, at)
  }

  #handOver(bytes: Buffer, from: number, to: number): void {
    if (from === to) return
    const run = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to)
    if (this.#inRow) this.#expected[0]?.add(run)
    else this.#passOn(run)
  }
}
