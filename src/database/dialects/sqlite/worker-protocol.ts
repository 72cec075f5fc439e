import type { Row, SqlValue } from '../../driver.ts'

/** What the main thread asks of a worker. Requests without an `id` are not answered. */
export interface WorkerRequest {
  readonly id?: number
  readonly kind: 'query' | 'execute'
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export type WorkerAnswer =
  | { readonly id: number; readonly rows: readonly Row[] }
  | { readonly id: number; readonly changes: number }
  | { readonly id: number; readonly error: { readonly code: number; readonly message: string } }

/** How a worker opens its connection. */
export interface WorkerOptions {
  readonly file: string
  readonly busyTimeoutMs: number
}
