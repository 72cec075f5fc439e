import { invariant } from '../../../errors/invariant.ts'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Row, SelectOptions, SqlValue, Statement, StreamOptions } from '../../driver.ts'
import { noRows, type RowSet } from '../../row-set.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { databaseErrorOf } from './error.ts'
import { unpack } from './packed-answer.ts'
import { openProcess, openThread, type WorkerChannel } from './worker-channel.ts'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

interface Waiting {
  readonly id: number
  readonly resolve: (answer: WorkerAnswer) => void
  readonly reject: (error: Error) => void
}

/** A request as it is asked for; it gets its number when it is sent. */
type Question = WorkerRequest extends infer Request
  ? Request extends WorkerRequest
    ? Omit<Request, 'id'>
    : never
  : never

const unlimited: StatementLimits = { timeoutMs: undefined, cancellation: undefined }

/** One SQLite connection in a worker. Requests are carried out in the order they are made. */
export class WorkerConnection {
  readonly #channel: WorkerChannel
  readonly #ending = new Int32Array(new SharedArrayBuffer(4))
  readonly #isReplaceable: boolean
  /** In the order in which they are answered. */
  readonly #waiting: Waiting[] = []
  #lastId = 0
  #failure: DatabaseError | undefined

  /** A worker in a process can be ended whatever it does; one in a thread only where its statement asks. */
  constructor(options: Omit<WorkerOptions, 'ending'>, kind: 'thread' | 'process' = 'thread') {
    const listener = {
      onAnswers: (answers: readonly WorkerAnswer[]) => {
        for (const answer of answers) this.#settle(answer)
      },
      onEnd: (error: unknown) => this.#fail(error),
    }
    this.#channel =
      kind === 'process'
        ? openProcess(options, listener)
        : openThread({ ...options, ending: this.#ending }, listener)
    // A database in memory is gone with its connection.
    this.#isReplaceable = options.file !== ':memory:'
    this.#channel.unref()
  }

  /** False once the worker has ended; such a connection is of no more use. */
  get usable(): boolean {
    return this.#failure === undefined
  }

  /** The connection for one caller, whose statements obey its limits. */
  limited(limits: StatementLimits): Connection {
    return {
      query: async ({ sql, parameters }) =>
        rowsOf(await this.#ask({ kind: 'query', sql, parameters }, limits)),
      select: async ({ sql, parameters }, { mostBytes } = {}) =>
        packedRowsOf(await this.#ask({ kind: 'select', sql, parameters, mostBytes }, limits)),
      execute: async ({ sql, parameters }) => {
        const answer = await this.#ask({ kind: 'execute', sql, parameters }, limits)
        return 'changes' in answer ? answer.changes : 0
      },
      stream: (statement, options) => this.#stream(statement, options, limits),
    }
  }

  /** Runs a statement that reads, without anything that ends it. */
  async selectUnwatched(
    sql: string,
    parameters: readonly SqlValue[],
    { mostBytes }: SelectOptions = {},
  ): Promise<RowSet> {
    return packedRowsOf(known(await this.#put({ kind: 'select', sql, parameters, mostBytes })))
  }

  /** Ends what runs on the connection, which is then of no more use. */
  abandon(): void {
    this.#end(this.#waiting[0]?.id ?? 0)
  }

  /** Runs a statement that is not a caller's own. */
  async execute(sql: string): Promise<void> {
    await this.#ask({ kind: 'execute', sql, parameters: [] }, unlimited)
  }

  /** Sends a statement whose success nobody waits for, such as the end of a read. */
  post(sql: string): void {
    this.#send({ id: 0, kind: 'execute', sql, parameters: [] })
  }

  close(): void {
    this.#channel.end()
  }

  async *#stream(
    { sql, parameters }: Statement,
    { pieceRows, pieceBytes }: StreamOptions,
    limits: StatementLimits,
  ): AsyncIterable<RowSet> {
    const { id: stream } = await this.#ask({ kind: 'open', sql, parameters }, limits)
    try {
      for (;;) {
        const rows = packedRowsOf(await this.#ask({ kind: 'next', stream, pieceRows, pieceBytes }, limits))
        if (rows.length > 0) yield rows
        if (!rows.isCut) return
      }
    } finally {
      this.#send({ id: 0, kind: 'close', stream })
    }
  }

  async #ask(question: Question, limits: StatementLimits): Promise<WorkerAnswer> {
    const id = this.#lastId + 1
    return known(
      await supervise(
        () => this.#put(question),
        limits,
        () => this.#end(id),
      ),
    )
  }

  #put(question: Question): Promise<WorkerAnswer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject })
      this.#send({ ...question, id })
    })
  }

  /** Makes a running statement end, and the connection with it where there can be another. */
  #end(id: number): void {
    Atomics.store(this.#ending, 0, id)
    if (!this.#isReplaceable) return
    this.#fail(undefined)
    this.#channel.end()
  }

  #send(request: WorkerRequest): void {
    if (this.#waiting.length > 0) this.#channel.ref()
    this.#channel.post(request)
  }

  #settle(answer: WorkerAnswer): void {
    const first = this.#waiting.shift()
    if (this.#waiting.length === 0) this.#channel.unref()
    if (first === undefined) return
    invariant(first.id === answer.id, 'a worker answers in the order in which it was asked')
    first.resolve(answer)
  }

  #fail(cause: unknown): void {
    this.#failure ??=
      cause instanceof Error && 'errcode' in cause
        ? databaseErrorOf(Number(cause.errcode), cause.message)
        : new DatabaseError('unavailable', 'The database connection has ended.', { cause })
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}

/** Throws where the answer is an error. */
function known(answer: WorkerAnswer): WorkerAnswer {
  if ('error' in answer) throw databaseErrorOf(answer.error.code, answer.error.message)
  return answer
}

function packedRowsOf(answer: WorkerAnswer): RowSet {
  return 'packed' in answer ? unpack(answer.packed) : noRows
}

function rowsOf(answer: WorkerAnswer): readonly Row[] {
  return 'rows' in answer ? answer.rows : []
}
