import { expect, test, vi } from 'vitest'
import { KnownQuick } from './known-quick.ts'

test('what was quick is trusted, until it disappoints; then it has to be quick again, and not at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const known = new KnownQuick(new Map<string, number>())
    expect(known.has('a')).toBe(false)
    known.add('a')
    expect([known.has('a'), known.has('b')]).toEqual([true, false])
    known.remove('a')
    known.add('a')
    expect(known.has('a')).toBe(false)
    vi.advanceTimersByTime(11_000)
    expect(known.has('a')).toBe(false)
    known.add('a')
    expect(known.has('a')).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
