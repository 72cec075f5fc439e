import { expect, test } from 'vitest'
import { counted, spokenDuration, spokenWait } from './spoken-duration.ts'

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [86_400, '1 day'],
  [172_800, '2 days'],
  [100_000, '100,000 seconds'],
])('%i seconds are %s', (seconds, spoken) => {
  expect(spokenDuration(seconds)).toBe(spoken)
})

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [7200, '2 hours'],
  [43_201, '13 hours'],
  [86_399, '24 hours'],
  [172_801, '3 days'],
])('a wait of %i seconds is told as %s', (seconds, spoken) => {
  expect(spokenWait(seconds)).toBe(spoken)
})

test('one of something is singular', () => {
  expect([0, 1, 1000].map((number) => counted(number, 'request'))).toEqual([
    '0 requests',
    '1 request',
    '1,000 requests',
  ])
})
