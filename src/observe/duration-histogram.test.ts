import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { DurationHistogram } from './duration-histogram.ts'

const buckets = [0.001, 0.01, 1]
const durations = [
  [{ method: 'GET', status: 200 }, 0.0005],
  [{ method: 'GET', status: 200 }, 0.001],
  [{ method: 'GET', status: 200 }, 0.5],
  [{ method: 'GET', status: 404 }, 0.25],
  [{ method: 'a "quoted" \\ word\n', status: 200 }, 7],
] as const

test('a registry writes the same as for the histogram of prom-client', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const shared = { name: 'durations', help: 'How long something took.', buckets }
  const labelNames = ['method', 'status'] as const
  const own = new DurationHistogram({ ...shared, labelNames, register: ours })
  const other = new Histogram({ ...shared, labelNames, registers: [theirs] })
  expect(await ours.metrics()).toBe(await theirs.metrics())
  for (const [labels, seconds] of durations) {
    own.observe(labels, seconds)
    other.observe(labels, seconds)
  }
  expect(await ours.metrics()).toBe(await theirs.metrics())
})

test('so it does without labels, before and after anything was counted', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const shared = { name: 'durations', help: 'How long something took.', buckets }
  const own = new DurationHistogram({ ...shared, labelNames: [], register: ours })
  const other = new Histogram({ ...shared, registers: [theirs] })
  expect(await ours.metrics()).toBe(await theirs.metrics())
  for (const [, seconds] of durations) {
    own.observe({}, seconds)
    other.observe(seconds)
  }
  expect(await ours.metrics()).toBe(await theirs.metrics())
})
