import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('what was used among the last stays, and what was not makes room', () => {
  const cache = new LruCache<string, number>(4)
  for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value)
  expect(cache.get('a')).toBe(0)
  cache.set('d', 3)
  expect([cache.get('b'), cache.get('a'), cache.get('d')]).toEqual([undefined, 0, 3])
})

test('there are never more than the limit says', () => {
  for (const limit of [2, 5, 100]) {
    const cache = new LruCache<number, number>(limit)
    const all = Array.from({ length: 1000 }, (_, index) => index)
    for (const key of all) {
      cache.set(key, key)
      cache.get(key - 1)
    }
    expect(all.filter((key) => cache.get(key) !== undefined).length).toBeLessThanOrEqual(limit)
  }
})

test('what is deleted is gone, and what is set anew is new', () => {
  const cache = new LruCache<string, number>(4)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.delete('a')
  cache.delete('c')
  cache.set('b', 2)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 2, undefined])
  cache.clear()
  expect(cache.get('b')).toBeUndefined()
})
