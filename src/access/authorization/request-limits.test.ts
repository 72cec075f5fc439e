import { beforeEach, expect, test } from 'vitest'
import { temporaryDatabase } from '../../../test/support/temporary-access.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { openStore, type Store } from '../../store/store.ts'
import { limitsOf, RequestLimiter } from './request-limits.ts'

let store: Store
let seconds: number
beforeEach(async () => {
  store = await openStore(await temporaryDatabase())
  seconds = 1_000_000
})
const node = () => new RequestLimiter(store, () => new Date(seconds * 1000))
const allowed = async (limiter: RequestLimiter, times: number, limits = { requests: 5, per: 10 }) => {
  const counts = []
  for (let time = 0; time < times; time += 1) counts.push((await limiter.count('ada', limits)).isAllowed)
  return counts.filter(Boolean).length
}

test('a window begins again when it is over, and what a node held is gone with it', async () => {
  const limiter = node()
  expect(await allowed(limiter, 8)).toBe(5)
  seconds += 9
  expect(await allowed(limiter, 1)).toBe(0)
  seconds += 1
  expect(await allowed(limiter, 8)).toBe(5)
})

test('a node whose clock is late takes from the window that the others are in', async () => {
  const late = node()
  seconds += 10
  expect(await allowed(node(), 3)).toBe(3)
  seconds -= 10
  expect(await allowed(late, 8)).toBe(2)
})

test('a limit that was changed holds for what was used already', async () => {
  const limiter = node()
  expect(await allowed(limiter, 4)).toBe(4)
  expect(await allowed(node(), 4, { requests: 2, per: 10 })).toBe(0)
  expect(await allowed(node(), 9, { requests: 8, per: 10 })).toBe(4)
})

test('many requests ask the store few times', async () => {
  let questions = 0
  const { requestCounts } = store
  const counting = {
    ...store,
    requestCounts: {
      ...requestCounts,
      take: (...given: Parameters<typeof requestCounts.take>) => {
        questions += 1
        return requestCounts.take(...given)
      },
    },
  }
  const limiter = new RequestLimiter(counting, () => new Date(seconds * 1000))
  const limits = { requests: 10_000, per: 10 }
  const counts = await Promise.all(Array.from({ length: 12_000 }, () => limiter.count('ada', limits)))
  expect(counts.filter(({ isAllowed }) => isAllowed)).toHaveLength(10_000)
  expect(await allowed(limiter, 500, limits)).toBe(0)
  expect(questions).toBeLessThanOrEqual(21)
})

test('where the disk is full a node counts for itself', async () => {
  const take = () => Promise.reject(new DatabaseError('full', 'full'))
  const limiter = new RequestLimiter(
    { ...store, requestCounts: { ...store.requestCounts, take } },
    () => new Date(seconds * 1000),
  )
  expect(await allowed(limiter, 8)).toBe(5)
})

test.each([
  [undefined, [], undefined],
  [undefined, [undefined, '1/1'], '1/1'],
  [undefined, ['59/60', '1/1', '10/60'], '1/1'],
  [undefined, ['1/1', '60/60'], '60/60'],
  ['1/60', ['60/60'], '1/60'],
])('own limits %s and those of roles %j are %s', (own, roles, expected) => {
  const read = (text: string | undefined) => {
    const [requests, per] = text?.split('/').map(Number) ?? []
    return requests === undefined || per === undefined ? undefined : { requests, per }
  }
  expect(limitsOf(read(own), roles.map(read))).toEqual(read(expected))
})
