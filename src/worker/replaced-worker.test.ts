import { expect, test } from 'vitest'
import { type Replaceable, ReplacedWorker } from './replaced-worker.ts'

class Sample implements Replaceable {
  isOver = false
  isEnded = false
  readonly #gone = Promise.withResolvers<void>()
  readonly gone = this.#gone.promise

  /** It takes no more calls, but has not ended yet. */
  lose() {
    this.isOver = true
  }

  go() {
    this.#gone.resolve()
  }

  async end() {
    this.isEnded = true
  }
}

const closed = () => new Error('closed')

test('it starts with the first caller, and again when it has gone', async () => {
  const started: Sample[] = []
  const worker = new ReplacedWorker(() => {
    const next = new Sample()
    started.push(next)
    return next
  }, closed)
  expect(started).toEqual([])
  const [first, same] = await Promise.all([worker.running(), worker.running()])
  expect(same).toBe(first)
  first.lose()
  const waiting = [worker.running(), worker.running()]
  await Promise.resolve()
  expect(started.length).toBe(1)
  first.go()
  const [second, other] = await Promise.all(waiting)
  expect(started).toEqual([first, second])
  expect(other).toBe(second)
})

test('one that could not be started is started by the next caller', async () => {
  let isPossible = false
  const sample = new Sample()
  const worker = new ReplacedWorker(() => {
    if (!isPossible) throw new Error('impossible')
    return sample
  }, closed)
  await expect(worker.running()).rejects.toThrow('impossible')
  isPossible = true
  expect(await worker.running()).toBe(sample)
})

test('closing ends the one that runs, even if it has just been started, and no one gets another', async () => {
  const sample = new Sample()
  const worker = new ReplacedWorker(async () => sample, closed)
  const early = worker.running()
  await worker.close()
  expect(sample.isEnded).toBe(true)
  expect(await early).toBe(sample)
  await expect(worker.running()).rejects.toThrow('closed')
  await new ReplacedWorker(() => sample, closed).close()
})
