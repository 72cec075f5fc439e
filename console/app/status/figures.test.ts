import { expect, test } from 'vitest'
import { rowsOf } from './figures.ts'
import type { Activity } from './status-types.ts'

const step: Activity['steps'][number] = {
  at: '2026-11-23T08:00:00.000Z',
  requests: { '1xx': 0, '2xx': 30, '3xx': 15, '4xx': 3, '5xx': 1 },
  request_ms: { p50: 2, p95: 8, p99: 20 },
  statements: 60,
  statement_failures: 0,
  statement_ms: null,
  failures: 1,
  sample: {
    rss_bytes: 120_400_000,
    heap_used_bytes: 0,
    event_loop_delay_ms: 3,
    connections_in_use: 2,
    connections_waiting: 0,
  },
}

test('counts become rates, and what a step does not have stays absent', () => {
  const activity = { step_seconds: 15, steps: [step, { ...step, request_ms: null, sample: null }] }
  const [row, idle] = rowsOf(activity as unknown as Activity)
  expect(row).toEqual({
    at: '2026-11-23T08:00:00.000Z',
    ...{ succeeded: 3, refused: 0.2, failed: 0.07 },
    ...{ p50: 2, p95: 8, p99: 20 },
    ...{ statements: 4, memory: 120, delay: 3, used: 2, waiting: 0 },
  })
  expect(idle).toMatchObject({ p50: null, memory: null, delay: null, used: null })
})
