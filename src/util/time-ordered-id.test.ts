import { expect, test } from 'vitest'
import { createTimeOrderedIds } from './time-ordered-id.ts'

test('ids sort in the order they were made in, also when the clock goes back', () => {
  const moments = [5, 5, 9, 7, 10]
  const next = createTimeOrderedIds(
    () => new Date(moments.shift() ?? 0),
    (size) => new Uint8Array(size).fill(255),
  )
  const ids = [next(), next(), next(), next(), next()]
  expect(ids).toEqual([
    '000000000005-000000-ffffffffffffffff',
    '000000000005-000001-ffffffffffffffff',
    '000000000009-000000-ffffffffffffffff',
    '000000000009-000001-ffffffffffffffff',
    '00000000000a-000000-ffffffffffffffff',
  ])
  expect(ids.toSorted()).toEqual(ids)
})
