import type { MaybeHandedOver, Streamed } from '../../../worker/calls.ts'
import type { StartWorker } from '../../../worker/start-worker.ts'
import type { Statement } from '../../driver.ts'
import type { Row } from '../../sql-value.ts'
import type { PackedResult } from './fast-reads/packed-result.ts'

/** The functions of a worker that has a connection. */
export interface ConnectionCalls {
  query(statement: Statement): readonly Row[]
  select(statement: Selecting): MaybeHandedOver<PackedResult>
  /** Returns the number of changed rows. */
  execute(statement: Statement): number
  /** Streams pieces of rows; the last piece is the one that is not truncated. */
  stream(statement: Streaming): Streamed<undefined, PackedResult>
}

export interface Selecting extends Statement {
  readonly mostBytes: number | undefined
}

export interface Streaming extends Statement {
  readonly pieceRows: number
  readonly pieceBytes: number
}

/** How a worker opens its connection. */
export interface WorkerOptions {
  readonly file: string
  readonly busyTimeoutMs: number
  /** The number of the call to cancel, written while the worker is busy; absent if the worker is a process. */
  readonly ending?: Int32Array<SharedArrayBuffer>
}

/** How a thread of a connection starts: one that calls `serveConnection` with these options. */
export type StartThread = (options: WorkerOptions) => StartWorker

/** The SQL function by which a running statement checks whether it was cancelled. */
export const cancellationCheckFunction = 'gatehouse_check_cancelled'
