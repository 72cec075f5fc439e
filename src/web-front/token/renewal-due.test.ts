import { expect, test } from 'vitest'
import { isRenewalDue } from './renewal-due.ts'

const since = Date.parse('2026-01-01T00:00:00Z')
const lasting = (seconds: number) => ({ since, expires: new Date(since + seconds * 1000).toISOString() })

test.each([
  [3600, 3569, false],
  [3600, 3570, true],
  [30, 22, false],
  [30, 22.5, true],
  [2, 0, false],
  [2, 1.49, false],
  [2, 1.5, true],
])('a token of %d s is due after %d s: %s', (life, age, isDue) => {
  expect(isRenewalDue(lasting(life), since + age * 1000)).toBe(isDue)
})

test('a token of which something is not known', () => {
  const { expires } = lasting(3600)
  expect(isRenewalDue({}, since)).toBe(false)
  expect(isRenewalDue({ since }, since)).toBe(false)
  expect(isRenewalDue({ expires }, since + 3_569_000)).toBe(false)
  expect(isRenewalDue({ expires }, since + 3_570_000)).toBe(true)
})
