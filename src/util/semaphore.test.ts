import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('lets only so many through at once, and the others in their order', async () => {
  const semaphore = new Semaphore(2, 10)
  const order: number[] = []
  let inside = 0
  let most = 0
  const work = (name: number) => async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setTimeout(resolve, 1))
    inside -= 1
    order.push(name)
  }
  await Promise.all([1, 2, 3, 4, 5].map((name) => semaphore.run(work(name))))
  expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5] })
})

test('turns callers away when too many wait, and takes new ones after a failure', async () => {
  const semaphore = new Semaphore(1, 1)
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const waiting = semaphore.run(async () => 'waited')
  expect(semaphore.run(async () => 'too many')).toBeUndefined()
  await expect(failing).rejects.toThrow('no')
  expect(await waiting).toBe('waited')
  expect(await semaphore.run(async () => 'again')).toBe('again')
})
