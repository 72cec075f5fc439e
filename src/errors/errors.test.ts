import { expect, test } from 'vitest'
import { errorKinds } from './errors.ts'

test('no detail repeats its title, which stands above it', () => {
  const repeating = Object.entries(errorKinds).filter(
    ([, kind]) => 'detail' in kind && kind.detail.startsWith(kind.title.slice(0, -1)),
  )
  expect(repeating.map(([code]) => code)).toEqual([])
})
