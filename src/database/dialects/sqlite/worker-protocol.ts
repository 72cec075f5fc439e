import type { Row, SqlValue } from '../../driver.ts'
import type { PackedAnswer } from './packed-answer.ts'

/** What the main thread asks of a worker. Requests with `id` 0 are not answered. */
export type WorkerRequest =
  | {
      readonly id: number
      /** `select` answers with packed rows. */
      readonly kind: 'query' | 'select' | 'execute'
      readonly sql: string
      readonly parameters: readonly SqlValue[]
      /** Of the rows of a `select`. */
      readonly mostBytes?: number | undefined
    }
  /** Begins a stream, which goes by the number of this request. */
  | {
      readonly id: number
      readonly kind: 'open'
      readonly sql: string
      readonly parameters: readonly SqlValue[]
    }
  | {
      readonly id: number
      readonly kind: 'next'
      readonly stream: number
      readonly pieceRows: number
      readonly pieceBytes: number
    }
  | { readonly id: number; readonly kind: 'close'; readonly stream: number }

export type WorkerAnswer =
  | { readonly id: number; readonly rows: readonly Row[] }
  | { readonly id: number; readonly packed: PackedAnswer }
  | { readonly id: number; readonly changes: number }
  | { readonly id: number; readonly error: { readonly code: number; readonly message: string } }

/** How a worker opens its connection. */
export interface WorkerOptions {
  readonly file: string
  readonly busyTimeoutMs: number
  /** Holds the number of the request that is to end, written while the worker is busy; absent where the worker is a process. */
  readonly ending?: Int32Array<SharedArrayBuffer>
}

/** The name under which a running statement asks whether it is to end. */
export const cancellationCheckFunction = 'gatehouse_check_cancelled'
