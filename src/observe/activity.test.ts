import { expect, test } from 'vitest'
import { activityStepMs, createActivity, durationBoundsMs } from './activity.ts'
import type { Event } from './events.ts'
import { createSlowStatements } from './slow-statements.ts'

const request = (status: number, milliseconds: number): Event => ({
  kind: 'RequestHandled',
  requestId: '1',
  method: 'GET',
  path: '/',
  status,
  milliseconds,
})
const statement = (sql: string, milliseconds: number, cause?: string): Event => ({
  kind: 'StatementRun',
  sql,
  milliseconds,
  rows: 3,
  ...(cause === undefined ? {} : { cause }),
})
const nothing = {
  requests: [0, 0, 0, 0, 0],
  requestMs: null,
  statements: 0,
  statementFailures: 0,
  statementMs: null,
  failures: 0,
}

test('what happens is counted by time, status and duration', () => {
  let time = 1000 * activityStepMs
  const activity = createActivity(() => time)
  for (const status of [200, 201, 304, 404, 500, 503, 999]) activity.observe(request(status, 4))
  time += activityStepMs
  activity.observe(statement('select 1', 50))
  activity.observe({ kind: 'StatementFailed', sql: 'select 1', error: 'x' })
  activity.observe({ kind: 'RequestFailed', requestId: '1', error: 'x' })
  const sample = {
    rssBytes: 1,
    heapUsedBytes: 2,
    loopDelayMs: 3,
    connectionsInUse: 4,
    connectionsWaiting: 5,
  }
  activity.sample(sample)
  const { steps, total, requestHistogram } = activity.report()
  expect(steps).toHaveLength(60)
  expect(steps.slice(-3)).toEqual([
    { start: 999 * activityStepMs, ...nothing, sample: null },
    {
      ...{ start: 1000 * activityStepMs, ...nothing, sample: null },
      requests: [0, 2, 1, 1, 3],
      requestMs: { p50: 4, p95: 4.9, p99: 4.98 },
    },
    {
      ...{ start: 1001 * activityStepMs, ...nothing, sample },
      statements: 1,
      statementFailures: 1,
      statementMs: { p50: 50, p95: 59, p99: 59.8 },
      failures: 1,
    },
  ])
  expect(total).toMatchObject({ requests: [0, 2, 1, 1, 3], statements: 1, failures: 1 })
  expect(requestHistogram[durationBoundsMs.indexOf(5)]).toBe(7)
})

test('what is older than a quarter of an hour is forgotten', () => {
  let time = 1000 * activityStepMs
  const activity = createActivity(() => time)
  activity.observe(request(200, 1))
  time += 59 * activityStepMs
  expect(activity.report().total.requests).toEqual([0, 1, 0, 0, 0])
  time += activityStepMs
  expect(activity.report().total).toEqual(nothing)
  activity.observe(request(200, 100_000))
  expect(activity.report().total).toMatchObject({
    requests: [0, 1, 0, 0, 0],
    requestMs: { p50: 30_000, p95: 30_000, p99: 30_000 },
  })
})

test('slow statements are listed by their texts, and the last 200 are kept', () => {
  const slow = createSlowStatements(500, () => 7)
  slow.observe(statement('select 0', 499))
  for (const milliseconds of [500, 900, 700]) slow.observe(statement('select 1', milliseconds, 'GET /apis/a'))
  slow.observe(statement('select 1', 3000))
  expect(slow.list()).toEqual([
    {
      ...{ sql: 'select 1', cause: null, count: 1, totalMs: 3000, medianMs: 3000, maxMs: 3000 },
      ...{ rows: 3, lastSeen: 7 },
    },
    {
      ...{ sql: 'select 1', cause: 'GET /apis/a', count: 3, totalMs: 2100, medianMs: 700, maxMs: 900 },
      ...{ rows: 3, lastSeen: 7 },
    },
  ])
  for (let index = 0; index < 200; index += 1) slow.observe(statement(`select ${index} from a`, 600))
  expect(slow.list()).toHaveLength(200)
  expect(slow.list().some(({ sql }) => sql === 'select 1')).toBe(false)
  slow.observe(statement('x'.repeat(20_000), 600))
  expect(Math.max(...slow.list().map(({ sql }) => sql.length))).toBe(10_001)
  expect(slow.clear()).toBe(200)
  expect(slow.list()).toEqual([])
})
