/**
 * Owns one SQLite connection, in a thread or process of its own. SQLite answers synchronously: here it may take
 * its time, while the main thread goes on serving.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Row, SqlValue } from '../../driver.ts'
import { describeError, openConnection } from './open-connection.ts'
import { type PackedAnswer, RowPacker } from './packed-answer.ts'
import { PreparedStatements, withPlainNumbers } from './prepared-statements.ts'
import { ShortAnswers } from './short-answers.ts'
import {
  cancellationCheckFunction,
  type WorkerAnswer,
  type WorkerOptions,
  type WorkerRequest,
} from './worker-protocol.ts'

/** Answers are sent together, but none waits longer for others than this, in milliseconds. */
const timeoutMs = 2
/** Memory that is smaller is copied faster than it changes hands. */
const handedOverFrom = 4096

type SendAnswers = (answers: readonly WorkerAnswer[], handedOver: readonly ArrayBuffer[]) => void

/**
 * Opens the connection; the result carries out requests one after the other, and answers those with a number. Memory that
 * is handed over may be taken away.
 */
export function serve(
  options: WorkerOptions,
  send: SendAnswers,
): (requests: readonly WorkerRequest[]) => void {
  const server = new SqliteServer(options)
  return (requests) => {
    let answers: WorkerAnswer[] = []
    let handedOver: ArrayBuffer[] = []
    let since = performance.now()
    for (const request of requests) {
      const answer = answerTo(request, server)
      if (request.id === 0) continue
      answers.push(answer)
      if ('packed' in answer && answer.packed.memory.byteLength >= handedOverFrom)
        handedOver.push(answer.packed.memory)
      if (performance.now() - since < timeoutMs) continue
      send(answers, handedOver)
      answers = []
      handedOver = []
      since = performance.now()
    }
    if (answers.length > 0) send(answers, handedOver)
  }
}

function answerTo(request: WorkerRequest, server: SqliteServer): WorkerAnswer {
  const { id } = request
  try {
    return { id, ...server.run(request) }
  } catch (error) {
    return { id, error: describeError(error) }
  }
}

class SqliteServer {
  readonly #database: DatabaseSync
  readonly #prepared: PreparedStatements
  readonly #shortAnswers: ShortAnswers
  readonly #streams = new Map<number, IteratorObject<Row, undefined>>()
  readonly #packer = new RowPacker()
  #running = 0

  constructor({ file, busyTimeoutMs, ending }: WorkerOptions) {
    this.#database = openConnection(file, busyTimeoutMs)
    this.#prepared = new PreparedStatements(this.#database)
    this.#shortAnswers = new ShortAnswers(this.#database, this.#prepared)
    this.#database.function(cancellationCheckFunction, () => {
      if (ending !== undefined && Atomics.load(ending, 0) === this.#running) {
        throw new Error('The statement was ended.')
      }
      return 1
    })
  }

  run(request: WorkerRequest): { rows: readonly Row[] } | { packed: PackedAnswer } | { changes: number } {
    this.#running = request.id
    switch (request.kind) {
      case 'query':
        return { rows: this.#prepared.rows(request.sql, request.parameters) }
      case 'select':
        return { packed: this.#select(request.sql, request.parameters, request.mostBytes) }
      case 'execute':
        return { changes: Number(this.#prepared.statement(request.sql).run(...request.parameters).changes) }
      case 'open': {
        // A statement of its own: one that is kept may run again before the stream has ended.
        const statement = this.#database.prepare(request.sql)
        statement.setReturnArrays(true)
        statement.setReadBigInts(true)
        const rows = statement.iterate(...request.parameters) as unknown as IteratorObject<Row, undefined>
        this.#streams.set(request.id, rows.map(withPlainNumbers))
        return { changes: 0 }
      }
      case 'next':
        return { packed: this.#next(request.stream, request.pieceRows, request.pieceBytes) }
      case 'close':
        this.#streams.get(request.stream)?.return?.()
        this.#streams.delete(request.stream)
        return { changes: 0 }
    }
  }

  #select(sql: string, values: readonly SqlValue[], mostBytes: number | undefined): PackedAnswer {
    if (mostBytes === undefined) return this.#packer.pack(this.#prepared.rows(sql, values))
    const short = this.#shortAnswers.rows(sql, values)
    if (short !== undefined)
      return this.#packer.packNext(short.values(), Number.POSITIVE_INFINITY, mostBytes, true)
    return this.#prepared.take(sql, values, (rows, areExact) => {
      const answer = this.#packer.packNext(rows, Number.POSITIVE_INFINITY, mostBytes, areExact)
      return answer.isCut ? { ...answer, isCut: rows.next().done !== true } : answer
    })
  }

  #next(stream: number, pieceRows: number, pieceBytes: number): PackedAnswer {
    const rows = this.#streams.get(stream)
    return rows === undefined
      ? this.#packer.pack([])
      : this.#packer.packNext(rows, pieceRows, pieceBytes, true)
  }
}
