import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Row, Statement } from '../../driver.ts'
import { databaseErrorOf } from './error.ts'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

interface Waiting {
  readonly resolve: (answer: WorkerAnswer) => void
  readonly reject: (error: Error) => void
}

/** One SQLite connection in a worker thread. Requests are carried out in the order they are made. */
export class WorkerConnection implements Connection {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #failure: DatabaseError | undefined

  constructor(options: WorkerOptions) {
    // The file beside this one has this one's ending: .ts from the sources, .js when built.
    const file = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(file, { workerData: options, resourceLimits: { stackSizeMb: 4 } })
    this.#worker.unref()
    this.#worker.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(undefined))
  }

  /** False once the worker has ended; such a connection is of no more use. */
  get usable(): boolean {
    return this.#failure === undefined
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    const answer = await this.#ask('query', statement)
    return 'rows' in answer ? answer.rows : []
  }

  async execute(statement: Statement): Promise<number> {
    const answer = await this.#ask('execute', statement)
    return 'changes' in answer ? answer.changes : 0
  }

  /** Sends a statement whose success nobody waits for, such as the end of a read. */
  post(sql: string): void {
    this.#send({ kind: 'execute', sql, parameters: [] })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  async #ask(kind: WorkerRequest['kind'], { sql, parameters }: Statement): Promise<WorkerAnswer> {
    if (this.#failure !== undefined) throw this.#failure
    this.#lastId += 1
    const id = this.#lastId
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send({ id, kind, sql, parameters })
    })
    if ('error' in answer) throw databaseErrorOf(answer.error.code, answer.error.message)
    return answer
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
