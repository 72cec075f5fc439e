/**
 * The results of several statements with one `Sync` behind them: the server runs them until one fails, and skips the others.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import { messageTypes, type ResultSink } from './message-splitter.ts'
import type { PackedResult } from './packed-result.ts'

const headLength = 5

/** See the head of this file. Every result is settled when all are complete, or the connection is lost. */
export class SeveralResults implements ResultSink {
  readonly #results: readonly PackedResult[]
  readonly #pieces: Buffer[] = []

  constructor(results: readonly PackedResult[]) {
    this.#results = results
  }

  /** Whose row it is shows at the end. */
  takesRow(): boolean {
    return true
  }

  add(bytes: Buffer): void {
    this.#pieces.push(bytes)
  }

  end(): void {
    this.#handOut()
  }

  lose(error: Error): void {
    this.#handOut(error)
  }

  /** `reason` is why results are missing, if some are; by default because a statement before them has failed. */
  #handOut(reason?: Error): void {
    const [only, ...others] = this.#pieces
    const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#pieces)
    let handedOut = 0
    let begin = 0
    for (let at = 0; at + headLength <= bytes.length; ) {
      const type = bytes[at]
      const end = at + 1 + bytes.readInt32BE(at + 1)
      const result = this.#results[handedOut]
      if (end > bytes.length || result === undefined) break
      if (type === messageTypes.dataRow) result.takesRow(end - at)
      if (type === messageTypes.commandComplete || type === messageTypes.error) {
        result.add(bytes.subarray(begin, end))
        result.end()
        handedOut += 1
        begin = end
        if (type === messageTypes.error) break
      }
      at = end
    }
    if (handedOut === this.#results.length) return
    const why = reason ?? new Error('The server did not run the statement, because one before it has failed.')
    for (const result of this.#results.slice(handedOut)) result.lose(why)
  }
}
