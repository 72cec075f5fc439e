/**
 * Owns one SQLite connection, in a thread or process of its own. SQLite answers synchronously: here it may take
 * its time, while the main thread goes on serving.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row } from '../../driver.ts'
import { decimalKey, decimalKeyFunction } from './decimal-key.ts'
import { momentFunction, momentOf } from './moment.ts'
import { type PackedAnswer, RowPacker } from './packed-answer.ts'
import { goOnFunction, type WorkerAnswer, type WorkerOptions, type WorkerRequest } from './worker-protocol.ts'

const preparedLimit = 256

/** Answers are sent together, but none waits longer for others than this, in milliseconds. */
const patienceMs = 2
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
      if (performance.now() - since < patienceMs) continue
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
    return { id, error: describe(error) }
  }
}

class SqliteServer {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  readonly #streams = new Map<number, Iterator<unknown>>()
  readonly #packer = new RowPacker()
  #running = 0

  constructor({ file, busyTimeoutMs, ending }: WorkerOptions) {
    this.#database = openConnection(file, busyTimeoutMs)
    this.#database.function(goOnFunction, () => {
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
        return { rows: rowsOf(this.#prepare(request.sql), request.parameters) }
      case 'select':
        return { packed: this.#packer.pack(rowsOf(this.#prepare(request.sql), request.parameters)) }
      case 'execute':
        return { changes: Number(this.#prepare(request.sql).run(...request.parameters).changes) }
      case 'open': {
        // A statement of its own: one that is kept may run again before the stream has ended.
        const statement = this.#database.prepare(request.sql)
        statement.setReturnArrays(true)
        statement.setReadBigInts(true)
        this.#streams.set(request.id, statement.iterate(...request.parameters))
        return { changes: 0 }
      }
      case 'next':
        return { packed: this.#packer.pack(pieceOf(this.#streams.get(request.stream), request.pieceRows)) }
      case 'close':
        this.#streams.get(request.stream)?.return?.()
        this.#streams.delete(request.stream)
        return { changes: 0 }
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known !== undefined) {
      this.#prepared.delete(sql)
      this.#prepared.set(sql, known)
      return known
    }
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    this.#prepared.set(sql, statement)
    if (this.#prepared.size > preparedLimit) {
      this.#prepared.delete(this.#prepared.keys().next().value ?? '')
    }
    return statement
  }
}

/** A whole number that JavaScript's numbers do not hold exactly makes all whole numbers of the answer be read anew. */
function rowsOf(statement: StatementSync, values: readonly SQLInputValue[]): readonly Row[] {
  try {
    return statement.all(...values) as unknown as readonly Row[]
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    return (statement.all(...values) as unknown as readonly Row[]).map(withPlainNumbers)
  } finally {
    statement.setReadBigInts(false)
  }
}

function pieceOf(rows: Iterator<unknown> | undefined, pieceRows: number): readonly Row[] {
  const piece: Row[] = []
  while (piece.length < pieceRows) {
    const next = rows?.next()
    if (next === undefined || next.done) break
    piece.push(withPlainNumbers(next.value as Row))
  }
  return piece
}

/** Whole numbers as numbers, and as text where those would lose digits. */
function withPlainNumbers(row: Row): Row {
  return row.map((value) => {
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  })
}

function openConnection(file: string, busyTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.function(decimalKeyFunction, { deterministic: true }, decimalKey)
  connection.function(momentFunction, { deterministic: true }, momentOf)
  // Readers and the writer do not wait for each other; what is committed is on the disk.
  connection.exec('pragma synchronous = full')
  try {
    connection.exec('pragma journal_mode = wal')
  } catch (error) {
    if (describe(error).code !== readOnly) throw error
  }
  return connection
}

/** https://www.sqlite.org/rescode.html#readonly */
const readOnly = 8

function describe(error: unknown): { code: number; message: string } {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return { code: errcode ?? 1, message: message ?? String(error) }
}
