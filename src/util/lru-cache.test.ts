import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('what was not used for longest makes room', () => {
  const cache = new LruCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect([cache.get('a'), cache.get('a')]).toEqual([1, 1])
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  cache.delete('c')
  cache.set('d', 4)
  cache.set('c', 5)
  expect([cache.get('a'), cache.get('d'), cache.get('c')]).toEqual([undefined, 4, 5])
})
