/**
 * The results of several statements with one `Sync` behind them: the server runs them until one fails, skips the others, and commits or
 * undoes all of them. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import type { DatabaseError } from 'pg'
import { messageTypes, type ResultSink } from './message-splitter.ts'
import { errorIn, type PackedResult } from './packed-result.ts'

const headLength = 5

/** See the head of this file. */
export class SeveralResults implements ResultSink {
  readonly #results: readonly PackedResult[]
  readonly #done: (error?: Error) => void
  readonly #pieces: Buffer[] = []

  /** `done` is called when all results are settled: with an error if the server did not confirm the commit. */
  constructor(results: readonly PackedResult[], done: (error?: Error) => void) {
    this.#results = results
    this.#done = done
  }

  /** Whose row it is shows at the end. */
  takesRow(): boolean {
    return true
  }

  add(bytes: Buffer): void {
    this.#pieces.push(bytes)
  }

  end(): void {
    this.#done(this.#handOut())
  }

  lose(error: Error): void {
    this.#done(this.#handOut(error) ?? error)
  }

  /** Settles all results, those that are missing with `reason`. Returns the error that the server told after the last one. */
  #handOut(reason?: Error): Error | undefined {
    const [only, ...others] = this.#pieces
    const bytes = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#pieces)
    let settled = 0
    let begin = 0
    let error: DatabaseError | undefined
    for (let at = 0; at + headLength <= bytes.length && error === undefined; ) {
      const type = bytes[at]
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) break
      if (type === messageTypes.error) error = errorIn(bytes, at + headLength, end)
      const result = this.#results[settled]
      if (type === messageTypes.dataRow) result?.takesRow(end - at)
      if (result !== undefined && (type === messageTypes.commandComplete || type === messageTypes.error)) {
        result.add(bytes.subarray(begin, end))
        result.end()
        settled += 1
        begin = end
      }
      at = end
    }
    if (settled === this.#results.length) return error && behindAll(error)
    const why = reason ?? error ?? new Error('The server did not run all statements.')
    for (const result of this.#results.slice(settled)) result.lose(why)
    return error
  }
}

/** An error behind all results, which refuses the commit. If it ends the connection, nobody can tell whether that was done before. */
function behindAll(error: DatabaseError): Error {
  return error.severity === 'ERROR' ? error : new Error(error.message)
}
