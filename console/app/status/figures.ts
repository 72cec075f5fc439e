/** Rows for the pictures of a gateway's activity. */
import type { Activity } from './status-types.ts'

/** One step of the last minutes. */
export interface ActivityRow {
  /** ISO 8601. */
  readonly at: string
  /** Requests in each second, by what became of them. */
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
  /** Milliseconds; null in a step without requests. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** Statements in each second. */
  readonly statements: number
  readonly memory: number | null
  readonly delay: number | null
  readonly used: number | null
  readonly waiting: number | null
}

/** The steps as rows, in the order of time. */
export function rowsOf({ steps, step_seconds: seconds }: Activity): readonly ActivityRow[] {
  return steps.map(({ at, requests, request_ms: times, statements, sample }) => ({
    at,
    succeeded: perSecond(requests['1xx'] + requests['2xx'] + requests['3xx'], seconds),
    refused: perSecond(requests['4xx'], seconds),
    failed: perSecond(requests['5xx'], seconds),
    p50: times?.p50 ?? null,
    p95: times?.p95 ?? null,
    p99: times?.p99 ?? null,
    statements: perSecond(statements, seconds),
    memory: sample === null ? null : megabytesOf(sample.rss_bytes),
    delay: sample?.event_loop_delay_ms ?? null,
    used: sample?.connections_in_use ?? null,
    waiting: sample?.connections_waiting ?? null,
  }))
}

function perSecond(count: number, seconds: number): number {
  return Math.round((count / seconds) * 100) / 100
}

/** Megabytes without a fraction. */
export function megabytesOf(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}
