/**
 * Splits what a PostgreSQL server sends into the results of our statements and everything else, preserving the order.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Receives the messages of one result, in chunks that may begin and end within a message. */
export interface ResultSink {
  /** Another row begins, of so many bytes; false to skip it. */
  takesRow(length: number): boolean
  add(bytes: Buffer): void
  /** The result is complete. */
  end(): void
  /** The connection is lost: nothing more arrives. */
  lose(error: Error): void
}

export const messageTypes = {
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
  noData: 0x6e,
  portalSuspended: 0x73,
  parseComplete: 0x31,
} as const

/** What a server may send at any time: notifications, notices and changes of its settings. */
const unasked: ReadonlySet<number | undefined> = new Set([0x41, 0x4e, 0x53])
const headLength = 5
/** The longest message that a server sends: https://www.postgresql.org/docs/current/limits.html */
const longestMessage = 0x40000000

export class MessageSplitter {
  readonly #passOn: (bytes: Buffer) => void
  readonly #expected: (ResultSink | undefined)[] = []
  /** The start of a message whose header is incomplete. */
  #rest: Buffer | undefined
  /** How many bytes of the current message are missing, and whether it belongs to a result with a sink. */
  #missing = 0
  #isForSink = false
  /** Whether it is a row that its sink skips. */
  #isDropped = false
  /** Whether the current message is the last one of such a result. */
  #endsResult = false

  /** `passOn` gets everything that does not belong to a result with a sink. */
  constructor(passOn: (bytes: Buffer) => void) {
    this.#passOn = passOn
  }

  /** Another result is expected, which ends when the server is ready again; `sink` gets it, if given. */
  expect(sink: ResultSink | undefined): void {
    this.#expected.push(sink)
  }

  /** The sinks of the unfinished results, in order. They get nothing more. */
  abandon(): readonly ResultSink[] {
    return this.#expected.splice(0).filter((sink) => sink !== undefined)
  }

  /** Reads what arrived. Throws for bytes that no server sends; then nothing more must be read. */
  read(came: Buffer): void {
    const bytes = this.#rest === undefined ? came : Buffer.concat([this.#rest, came])
    this.#rest = undefined
    let from = 0
    let at = 0
    for (;;) {
      if (this.#missing > 0) {
        const length = Math.min(this.#missing, bytes.length - at)
        this.#missing -= length
        at += length
        if (this.#missing > 0) break
        if (this.#endsResult) {
          this.#handOver(bytes, from, at)
          from = at
          this.#endResult()
        }
      }
      if (bytes.length - at < headLength) {
        if (at < bytes.length) this.#rest = bytes.subarray(at)
        break
      }
      const type = bytes[at]
      const length = bytes.readInt32BE(at + 1)
      if (length < 4 || length > longestMessage)
        throw new Error('The server sent a message without a length.')
      const sink = this.#expected[0]
      const isForSink = sink !== undefined && !unasked.has(type)
      const isDropped = isForSink && type === messageTypes.dataRow && !sink.takesRow(length + 1)
      if (isForSink !== this.#isForSink || isDropped !== this.#isDropped) {
        this.#handOver(bytes, from, at)
        from = at
        this.#isForSink = isForSink
        this.#isDropped = isDropped
      }
      this.#missing = length + 1
      if (isForSink) {
        this.#endsResult = type === messageTypes.readyForQuery
      } else if (type === messageTypes.readyForQuery) {
        // A listener may request the next result: this one has to end first.
        this.#handOver(bytes, from, at)
        from = at
        this.#expected.shift()
      }
    }
    this.#handOver(bytes, from, at)
  }

  #endResult(): void {
    this.#endsResult = false
    this.#isForSink = false
    this.#expected.shift()?.end()
  }

  #handOver(bytes: Buffer, from: number, to: number): void {
    if (from === to || this.#isDropped) return
    const run = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to)
    if (this.#isForSink) this.#expected[0]?.add(run)
    else this.#passOn(run)
  }
}
