import { expect, test } from 'vitest'
import { GenerationalCache } from './generational-cache.ts'

test('what was used among the last stays, and what was not makes room', () => {
  const cache = new GenerationalCache<string, number>(4)
  for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value)
  expect(cache.get('a')).toBe(0)
  cache.set('d', 3)
  expect([cache.get('b'), cache.get('a'), cache.get('d')]).toEqual([undefined, 0, 3])
})

test('there are never more than the limit says', () => {
  for (const limit of [2, 5, 100]) {
    const cache = new GenerationalCache<number, number>(limit)
    const all = Array.from({ length: 1000 }, (_, index) => index)
    for (const key of all) {
      cache.set(key, key)
      cache.get(key - 1)
    }
    expect(all.filter((key) => cache.get(key) !== undefined).length).toBeLessThanOrEqual(limit)
  }
})

test('what is deleted is gone, and what is set again is new', () => {
  const cache = new GenerationalCache<string, number>(4)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.delete('a')
  cache.delete('c')
  cache.set('b', 2)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 2, undefined])
  cache.clear()
  expect(cache.get('b')).toBeUndefined()
})

test('values are no heavier together than the limit says, and one that is too heavy is not kept', () => {
  const cache = new GenerationalCache<number, number>(100, (weight) => weight)
  const kept = () => Array.from({ length: 60 }, (_, key) => cache.get(key) ?? 0)
  for (let key = 0; key < 60; key += 1) {
    cache.set(key, (key * 7) % 60)
    expect(kept().reduce((sum, weight) => sum + weight)).toBeLessThanOrEqual(100)
  }
  cache.set(1, 20)
  cache.set(2, 51)
  expect([cache.get(1), cache.get(2)]).toEqual([20, undefined])
  cache.set(1, 30)
  cache.set(1, 10)
  cache.set(3, 40)
  expect([cache.get(1), cache.get(3)]).toEqual([10, 40])
})
