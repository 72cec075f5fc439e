import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Row, Statement, StreamOptions } from '../../driver.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import { databaseErrorOf } from './error.ts'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

interface Waiting {
  readonly resolve: (answer: WorkerAnswer) => void
  readonly reject: (error: Error) => void
}

/** A request as it is asked for; it gets its number when it is sent. */
type Question = WorkerRequest extends infer Request
  ? Request extends WorkerRequest
    ? Omit<Request, 'id'>
    : never
  : never

const unlimited: StatementLimits = { timeoutMs: undefined, signal: undefined }

/** How long a statement that is to end may take to notice; then its whole connection ends. */
const noticeMs = 1000

/** One SQLite connection in a worker thread. Requests are carried out in the order they are made. */
export class WorkerConnection {
  readonly #worker: Worker
  readonly #ending = new Int32Array(new SharedArrayBuffer(4))
  readonly #isReplaceable: boolean
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #failure: DatabaseError | undefined

  constructor(options: Omit<WorkerOptions, 'ending'>) {
    // The file beside this one has this one's ending: .ts from the sources, .js when built.
    const file = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(file, {
      workerData: { ...options, ending: this.#ending } satisfies WorkerOptions,
      resourceLimits: { stackSizeMb: 4 },
    })
    // A database in memory is gone with its connection.
    this.#isReplaceable = options.file !== ':memory:'
    this.#worker.unref()
    this.#worker.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(undefined))
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
      execute: async ({ sql, parameters }) => {
        const answer = await this.#ask({ kind: 'execute', sql, parameters }, limits)
        return 'changes' in answer ? answer.changes : 0
      },
      stream: (statement, options) => this.#stream(statement, options, limits),
    }
  }

  /** Runs a statement that is not a caller's own. */
  async execute(sql: string): Promise<void> {
    await this.#ask({ kind: 'execute', sql, parameters: [] }, unlimited)
  }

  /** Sends a statement whose success nobody waits for, such as the end of a read. */
  post(sql: string): void {
    this.#send({ id: 0, kind: 'execute', sql, parameters: [] })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  async *#stream(
    { sql, parameters }: Statement,
    { pieceRows }: StreamOptions,
    limits: StatementLimits,
  ): AsyncIterable<readonly Row[]> {
    const { id: stream } = await this.#ask({ kind: 'open', sql, parameters }, limits)
    try {
      for (;;) {
        const rows = rowsOf(await this.#ask({ kind: 'next', stream, pieceRows }, limits))
        if (rows.length > 0) yield rows
        if (rows.length < pieceRows) return
      }
    } finally {
      this.#send({ id: 0, kind: 'close', stream })
    }
  }

  async #ask(question: Question, limits: StatementLimits): Promise<WorkerAnswer> {
    if (this.#failure !== undefined) throw this.#failure
    this.#lastId += 1
    const id = this.#lastId
    const answer = await supervise(
      () =>
        new Promise<WorkerAnswer>((resolve, reject) => {
          this.#waiting.set(id, { resolve, reject })
          this.#send({ ...question, id })
        }),
      limits,
      () => this.#end(id),
    )
    if ('error' in answer) throw databaseErrorOf(answer.error.code, answer.error.message)
    return answer
  }

  /** Makes a running statement end; with its connection, where it does not notice. */
  #end(id: number): void {
    Atomics.store(this.#ending, 0, id)
    if (!this.#isReplaceable) return
    const giveUp = setTimeout(() => {
      if (!this.#waiting.has(id)) return
      this.#fail(new Error('A statement could not be ended alone.'))
      void this.#worker.terminate()
    }, noticeMs)
    giveUp.unref()
  }

  #send(request: WorkerRequest): void {
    if (this.#waiting.size > 0) this.#worker.ref()
    this.#worker.postMessage(request)
  }

  #settle(answer: WorkerAnswer): void {
    this.#waiting.get(answer.id)?.resolve(answer)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker.unref()
  }

  #fail(cause: unknown): void {
    this.#failure ??=
      cause instanceof Error && 'errcode' in cause
        ? databaseErrorOf(Number(cause.errcode), cause.message)
        : new DatabaseError('unavailable', 'The database connection has ended.', { cause })
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}

function rowsOf(answer: WorkerAnswer): readonly Row[] {
  return 'rows' in answer ? answer.rows : []
}
