import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createUuidV7 } from './uuid-v7.ts'

test('has the time, the version and the variant in their places', () => {
  const next = createUuidV7(
    () => new Date(0x017f22e279b0),
    () => new Uint8Array(8).fill(0xff),
  )
  expect(next()).toBe('017f22e2-79b0-7000-bfff-ffffffffffff')
  expect(next()).toBe('017f22e2-79b0-7001-bfff-ffffffffffff')
})

test('grows within a millisecond, beyond its counter and when the clock goes back', () => {
  let time = 1_800_000_000_000
  const next = createUuidV7(() => new Date(time), randomBytes)
  const made = Array.from({ length: 10_000 }, (_, index) => {
    if (index === 9_000) time -= 60_000
    return next()
  })
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(made.length)
})
