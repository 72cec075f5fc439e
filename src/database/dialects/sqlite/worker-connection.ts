import { fileBeside, inProcess, inThread } from '../../../worker/start-worker.ts'
import { type ChannelOptions, WorkerChannel } from '../../../worker/worker-channel.ts'
import type { WorkerLost } from '../../../worker/worker-lost.ts'
import { DatabaseError } from '../../database-error.ts'
import type { SelectOptions, Statement, StreamingConnection, StreamOptions } from '../../driver.ts'
import { ListedRows, listOf, type RowSet } from '../../row-set.ts'
import type { SqlValue } from '../../sql-value.ts'
import { type StatementLimits, supervise } from '../../supervise.ts'
import type { ConnectionCalls, StartThread, WorkerOptions } from './connection-calls.ts'
import { databaseErrorOf } from './error.ts'
import { type PackedResult, unpack } from './fast-reads/packed-result.ts'
import type { describeError } from './open-connection.ts'

const unlimited: StatementLimits = { timeoutMs: undefined, cancellation: undefined }

/** Short-lived objects of a statement's rows are collected often, so that many threads together use little memory. */
export const threadLimits = { stackSizeMb: 4, maxYoungGenerationSizeMb: 6 }

const newThread: StartThread = (options) =>
  inThread(fileBeside(import.meta.url, 'connection-thread'), { data: options, resourceLimits: threadLimits })

/** How a connection works. */
interface WorkerConnectionOptions {
  readonly kind?: 'thread' | 'process'
  /** Whether rows stay packed as the worker packed them; otherwise they are decoded to values. */
  readonly packsRows?: boolean
  /** How its thread starts; a new one if absent. */
  readonly startThread?: StartThread | undefined
}

/** One SQLite connection in a worker. Requests run in the order in which they are made. */
export class WorkerConnection {
  readonly #channel: WorkerChannel<ConnectionCalls>
  readonly #ending = new Int32Array(new SharedArrayBuffer(4))
  readonly #isReplaceable: boolean
  readonly #readRows: (packed: PackedResult) => RowSet
  /**
   * Resolved when the connection is open; rejected if it cannot be opened. Statements are sent after that: one whose time is over
   * before has not begun, and the worker is of use to the next one. Otherwise a worker that starts slowly would be ended each time.
   */
  readonly opened: Promise<unknown>
  #isOpen = false

  /** A worker in a process can be ended at any time; one in a thread only where its statement checks. */
  constructor(
    options: Omit<WorkerOptions, 'ending'>,
    { kind = 'thread', packsRows = true, startThread = newThread }: WorkerConnectionOptions = {},
  ) {
    this.#readRows = packsRows ? unpack : valuesOf
    this.#channel = new WorkerChannel(
      kind === 'process'
        ? inProcess(fileBeside(import.meta.url, 'connection-process'), options)
        : startThread({ ...options, ending: this.#ending }),
      errors,
    )
    // A database in memory is lost with its connection.
    this.#isReplaceable = options.file !== ':memory:'
    this.opened = this.#channel.call('query', { sql: 'select 1', parameters: [] })
    this.opened.then(
      () => {
        this.#isOpen = true
      },
      () => undefined,
    )
  }

  /** False once the worker has ended; such a connection can no longer be used. */
  get usable(): boolean {
    return !this.#channel.isOver
  }

  /** The connection for one caller, whose statements obey its limits. */
  limited(limits: StatementLimits): StreamingConnection {
    return {
      query: ({ sql, parameters }) =>
        this.#supervised(() => this.#channel.call('query', { sql, parameters }), limits),
      select: ({ sql, parameters }, options) =>
        this.#supervised(() => this.selectUnwatched(sql, parameters, options), limits),
      execute: ({ sql, parameters }) =>
        this.#supervised(() => this.#channel.call('execute', { sql, parameters }), limits),
      stream: (statement, options) => this.#stream(statement, options, limits),
    }
  }

  /** Runs a read statement, without cancellation or time limits. */
  async selectUnwatched(
    sql: string,
    parameters: readonly SqlValue[],
    { mostBytes }: SelectOptions = {},
  ): Promise<RowSet> {
    return this.#readRows(await this.#channel.call('select', { sql, parameters, mostBytes }))
  }

  /** Ends what runs on the connection, which can no longer be used. */
  abandon(): void {
    this.#end(this.#channel.oldestId)
  }

  /** Runs a statement of the driver itself. */
  async execute(sql: string): Promise<void> {
    await this.limited(unlimited).execute({ sql, parameters: [] })
  }

  /** Sends a statement without waiting for its success, such as the end of a read. */
  post(sql: string): void {
    const tell = () => this.#channel.tell('execute', { sql, parameters: [] })
    if (this.#isOpen) tell()
    else this.opened.then(tell, () => undefined)
  }

  close(): void {
    void this.#channel.end()
  }

  async *#stream(
    { sql, parameters }: Statement,
    { pieceRows, pieceBytes }: StreamOptions,
    limits: StatementLimits,
  ): AsyncIterable<RowSet> {
    const statement = { sql, parameters, pieceRows, pieceBytes }
    const stream = await this.#supervised(() => this.#channel.open('stream', statement), limits)
    try {
      for (;;) {
        const piece = await this.#supervised(() => stream.next(), limits)
        if (piece === undefined) return
        const rows = this.#readRows(piece)
        if (rows.length > 0) yield rows
        if (!rows.isCut) return
      }
    } finally {
      stream.close()
    }
  }

  #supervised<Result>(call: () => Promise<Result>, limits: StatementLimits): Promise<Result> {
    if (!this.#isOpen) return this.#supervisedOnceOpen(call, limits)
    const id = this.#channel.nextId
    return supervise(call, limits, () => this.#end(id))
  }

  #supervisedOnceOpen<Result>(call: () => Promise<Result>, limits: StatementLimits): Promise<Result> {
    let id: number | undefined
    let isOver = false
    const callOnceOpen = async () => {
      await this.opened
      if (isOver) throw new DatabaseError('abandoned', 'The statement was ended before it began.')
      id = this.#channel.nextId
      return call()
    }
    return supervise(callOnceOpen, limits, () => {
      isOver = true
      if (id !== undefined) this.#end(id)
    })
  }

  /** Cancels a running statement, and ends the connection with it if it can be replaced. */
  #end(id: number): void {
    Atomics.store(this.#ending, 0, id)
    if (this.#isReplaceable) this.close()
  }
}

function valuesOf(packed: PackedResult): RowSet {
  const rows = unpack(packed)
  return new ListedRows(listOf(rows), 0, rows.isCut)
}

const errors: ChannelOptions<never> = {
  errorOf: (fault) => {
    const { code, message } = fault as ReturnType<typeof describeError>
    return databaseErrorOf(code, message)
  },
  lostError: ({ cause }: WorkerLost) =>
    cause instanceof Error && 'errcode' in cause
      ? databaseErrorOf(Number(cause.errcode), cause.message)
      : new DatabaseError('unavailable', 'The database connection has ended.', { cause }),
}
