import { expect, test, vi } from 'vitest'
import { Trust } from './trust.ts'

test('what was quick is trusted, until it disappoints; then it has to be quick again, and not at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const trust = new Trust(new Map<string, number>())
    expect(trust.has('a')).toBe(false)
    trust.give('a')
    expect([trust.has('a'), trust.has('b')]).toEqual([true, false])
    trust.withdraw('a')
    trust.give('a')
    expect(trust.has('a')).toBe(false)
    vi.advanceTimersByTime(11_000)
    expect(trust.has('a')).toBe(false)
    trust.give('a')
    expect(trust.has('a')).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
