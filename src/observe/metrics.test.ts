import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

/** https://prometheus.io/docs/practices/naming/, as `promtool check metrics` reads it. */
test('every counter has a name that ends in _total, and nothing else has', async () => {
  const text = await createMetrics().text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }))
  expect(types.length).toBeGreaterThan(20)
  expect(types.filter(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))).toEqual([])
})
