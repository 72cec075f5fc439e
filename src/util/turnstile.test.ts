import { expect, test, vi } from 'vitest'
import { Turnstile } from './turnstile.ts'

test('as many as there are places go at once, the others in the order they came', async () => {
  const turnstile = new Turnstile(2)
  const finish: (() => void)[] = []
  const order: number[] = []
  const all = [0, 1, 2, 3].map((number) =>
    turnstile.run(async () => {
      order.push(number)
      await new Promise<void>((resolve) => finish.push(resolve))
    }),
  )
  await Promise.resolve()
  expect(order).toEqual([0, 1])
  finish[1]?.()
  await all[1]
  expect(order).toEqual([0, 1, 2])
  finish[0]?.()
  await all[0]
  expect(order).toEqual([0, 1, 2, 3])
  finish[2]?.()
  finish[3]?.()
  await Promise.all(all)
})

test('work that fails gives its place back', async () => {
  const turnstile = new Turnstile(1)
  await expect(turnstile.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turnstile.run(async () => 'yes')).toBe('yes')
})

test('a caller whose time is over is refused, unless it is given more', async () => {
  const turnstile = new Turnstile(1)
  let finish: () => void = () => undefined
  const first = turnstile.run(() => new Promise<void>((resolve) => (finish = resolve)))
  const refuse = (reason: string) => new Error(reason)
  const given = vi
    .fn<(since: number) => number>()
    .mockReturnValueOnce(1)
    .mockReturnValueOnce(1)
    .mockReturnValue(0)
  const patience = { waitMs: 1, waiter: undefined, refuse }
  await expect(turnstile.run(async () => 1, patience)).rejects.toThrow('late')
  await expect(turnstile.run(async () => 1, { ...patience, moreMs: given })).rejects.toThrow('late')
  expect(given).toHaveBeenCalledTimes(3)
  finish()
  await first
  expect(await turnstile.run(async () => 'free', patience)).toBe('free')
})
