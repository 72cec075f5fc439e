import { expect, test } from 'vitest'
import { addDuration, isDuration } from './iso-duration.ts'

const from = new Date('2024-03-31T12:00:00.000Z')

test.each([
  ['P7D', '2024-04-07T12:00:00.000Z'],
  ['-P1M', '2024-02-29T12:00:00.000Z'],
  ['P1Y', '2025-03-31T12:00:00.000Z'],
  ['-P1Y1M', '2023-02-28T12:00:00.000Z'],
  ['PT1H30M', '2024-03-31T13:30:00.000Z'],
  ['-P2W', '2024-03-17T12:00:00.000Z'],
  ['PT0S', '2024-03-31T12:00:00.000Z'],
])('%s', (duration, expected) => {
  expect(addDuration(from, duration)?.toISOString()).toBe(expected)
})

test.each(['', 'P', 'PT', '7D', 'P7', 'P1DT', 'P-1D', '+P1D', 'P1.5D', 'P7D '])('%j is none', (text) => {
  expect(isDuration(text)).toBe(false)
  expect(addDuration(from, text)).toBeUndefined()
})
