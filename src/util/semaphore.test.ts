import { expect, onTestFinished, test, vi } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('as many as there are places go at once, the others in the order they came', async () => {
  const semaphore = new Semaphore(2)
  const finish: (() => void)[] = []
  const order: number[] = []
  const all = [0, 1, 2, 3].map((number) =>
    semaphore.run(async () => {
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
  const semaphore = new Semaphore(1)
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await semaphore.run(async () => 'yes')).toBe('yes')
})

test('a caller whose time is over is refused, unless it is given more', async () => {
  const semaphore = new Semaphore(1)
  let finish: () => void = () => undefined
  const first = semaphore.run(() => new Promise<void>((resolve) => (finish = resolve)))
  const refuse = (reason: string) => new Error(reason)
  const given = vi
    .fn<(since: number) => number>()
    .mockReturnValueOnce(1)
    .mockReturnValueOnce(1)
    .mockReturnValue(0)
  const waitLimits = { waitMs: 1, cancellation: undefined, refuse }
  await expect(semaphore.run(async () => 1, waitLimits)).rejects.toThrow('late')
  await expect(semaphore.run(async () => 1, { ...waitLimits, moreMs: given })).rejects.toThrow('late')
  expect(given).toHaveBeenCalledTimes(3)
  finish()
  await first
  expect(await semaphore.run(async () => 'free', waitLimits)).toBe('free')
})

test('clients take turns, and some places are only for those that have none', async () => {
  const semaphore = new Semaphore(4, 1)
  const finish = new Map<string, () => void>()
  const order: string[] = []
  const all: Promise<void>[] = []
  const come = (client: string, ...numbers: number[]) => {
    for (const number of numbers) {
      const name = `${client}${number}`
      const work = async () => {
        order.push(name)
        await new Promise<void>((resolve) => finish.set(name, resolve))
      }
      const cancellation = { isCancelled: false, client, onCancelled: () => () => undefined }
      all.push(semaphore.run(work, { waitMs: 60_000, cancellation, refuse: (reason) => new Error(reason) }))
    }
  }
  const end = async (name: string) => {
    finish.get(name)?.()
    for (let step = 0; step < 10; step += 1) await Promise.resolve()
    return order.splice(0)
  }
  come('a', 1, 2, 3, 4, 5, 6)
  expect(order.splice(0)).toEqual(['a1', 'a2', 'a3'])
  come('b', 1, 2, 3)
  expect(order.splice(0)).toEqual(['b1'])
  come('c', 1, 2)
  expect(order.splice(0)).toEqual([])
  // One that has none comes first; then each in its turn, and one that has none beside it.
  expect(await end('a1')).toEqual(['c1'])
  expect(await end('a2')).toEqual([])
  expect(await end('c1')).toEqual(['a4', 'c2'])
  expect(await end('a3')).toEqual([])
  expect(await end('b1')).toEqual(['b2'])
  expect(await end('c2')).toEqual(['a5'])
  for (const name of ['b2', 'a4', 'a5', 'b3', 'a6']) await end(name)
  await Promise.all(all)
})

test('for clients that have no place work is ended, of those who have most first', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const semaphore = new Semaphore(4, 1)
  const finish = new Map<string, () => void>()
  const ended: string[] = []
  const entered: string[] = []
  const all: Promise<void>[] = []
  const come = (client: string, ...numbers: number[]) => {
    for (const number of numbers) {
      const name = `${client}${number}`
      const work = async () => {
        entered.push(name)
        await new Promise<void>((resolve) => finish.set(name, resolve))
      }
      const cancellation = { isCancelled: false, client, onCancelled: () => () => undefined }
      const preemption = { afterMs: 1000, end: () => void ended.push(name) }
      const waitLimits = {
        waitMs: 60_000,
        cancellation,
        preemption,
        refuse: (reason: string) => new Error(reason),
      }
      all.push(semaphore.run(work, waitLimits))
    }
  }
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return [ended.splice(0), entered.splice(0)]
  }
  const end = async (name: string) => {
    finish.get(name)?.()
    return pass(0)
  }
  come('a', 1, 2, 3)
  expect(await pass(10)).toEqual([[], ['a1', 'a2', 'a3']])
  come('b', 1, 2)
  expect(await pass(0)).toEqual([[], ['b1']])
  // Anyone who has a place ends no one's work.
  expect(await pass(5000)).toEqual([[], []])
  come('c', 1, 2)
  expect(await pass(900)).toEqual([[], []])
  expect(await pass(300)).toEqual([['a1'], []])
  // One is enough for one client.
  expect(await pass(5000)).toEqual([[], []])
  expect(await end('a1')).toEqual([[], ['c1']])
  // Whose work was ended leaves the reserve to others, and ends nobody's.
  expect(await end('c1')).toEqual([[], ['c2']])
  expect(await end('c2')).toEqual([[], []])
  come('a', 4)
  expect(await pass(5000)).toEqual([[], []])
  come('d', 1)
  expect(await pass(0)).toEqual([[], ['d1']])
  // Where many wait, all have shorter slices.
  for (const client of 'efghijkl') come(client, 1)
  const [first, next] = await pass(600)
  expect([first?.length, next]).toEqual([4, []])
  for (const name of first ?? []) await end(name)
  for (let round = 0; round < 20; round += 1) for (const name of finish.keys()) await end(name)
  await Promise.all(all)
})

test('turns callers away when too many wait, and takes new ones after a failure', async () => {
  const semaphore = new Semaphore(1)
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const waiting = semaphore.run(async () => 'waited')
  expect(semaphore.runUnlessCrowded(async () => 'too many', 1)).toBeUndefined()
  await expect(failing).rejects.toThrow('no')
  expect(await waiting).toBe('waited')
  expect(await semaphore.run(async () => 'again')).toBe('again')
})
