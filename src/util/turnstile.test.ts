import { expect, test } from 'vitest'
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
