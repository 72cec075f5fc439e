/**
 * Parts what a PostgreSQL server sends: the answers to statements that are asked for here, and everything else, in the
 * order in which it came. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Receives the messages of one answer, in runs that may begin and end within a message. */
export interface AnswerSink {
  /** Another row begins, of so many bytes; false where it is not to be added. */
  takesRow(length: number): boolean
  add(bytes: Buffer): void
  /** All of it was added. */
  end(): void
  /** Nothing more comes: the connection is gone. */
  lose(error: Error): void
}

export const messageTypes = {
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
  portalSuspended: 0x73,
  parseComplete: 0x31,
} as const

/** What a server sends at any time, whatever it was asked: notifications, notices and changes of its settings. */
const unasked: ReadonlySet<number | undefined> = new Set([0x41, 0x4e, 0x53])
const headLength = 5
/** The server has no longer messages: https://www.postgresql.org/docs/current/limits.html */
const longestMessage = 0x40000000

export class MessageSplitter {
  readonly #passOn: (bytes: Buffer) => void
  readonly #expected: (AnswerSink | undefined)[] = []
  /** The start of a message whose head is not there yet. */
  #rest: Buffer | undefined
  /** How many bytes of the message under way are still to come, and whether it belongs to an answer with a sink. */
  #missing = 0
  #isForSink = false
  /** Whether it is a row that its sink does not take. */
  #isDropped = false
  /** Whether the message under way is the last one of such an answer. */
  #endsAnswer = false

  /** `passOn` gets everything that belongs to no answer with a sink. */
  constructor(passOn: (bytes: Buffer) => void) {
    this.#passOn = passOn
  }

  /** Another answer is asked for, which ends when the server is ready again; `sink` gets it, where there is one. */
  expect(sink: AnswerSink | undefined): void {
    this.#expected.push(sink)
  }

  /** The sinks of the answers that have not ended, in their order. They get nothing any more. */
  abandon(): readonly AnswerSink[] {
    return this.#expected.splice(0).filter((sink) => sink !== undefined)
  }

  /** Reads what came. Throws for what no server sends; nothing is to be read then any more. */
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
        if (this.#endsAnswer) {
          this.#handOver(bytes, from, at)
          from = at
          this.#endAnswer()
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
        this.#endsAnswer = type === messageTypes.readyForQuery
      } else if (type === messageTypes.readyForQuery) {
        // What is passed on may ask for the next answer: this one's end comes first.
        this.#handOver(bytes, from, at)
        from = at
        this.#expected.shift()
      }
    }
    this.#handOver(bytes, from, at)
  }

  #endAnswer(): void {
    this.#endsAnswer = false
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
