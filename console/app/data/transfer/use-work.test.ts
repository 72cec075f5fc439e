import { expect, test } from 'vitest'
import { type Work, workRunner } from './use-work.ts'

/** Work that ends when it is told to, whether it was cancelled or not. */
function slowWork(result: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { run: () => promise, end: () => resolve(result), fail: () => reject(new Error(result)) }
}

function watched() {
  const states: Work<string>[] = []
  return { states, ...workRunner<string>((state) => states.push(state)) }
}

test('of two files that are chosen at once, the second one is shown, whichever is read first', async () => {
  const { states, start } = watched()
  const first = slowWork('first')
  const second = slowWork('second')
  let isAborted = false
  const firstEnd = start((signal) => {
    signal.addEventListener('abort', () => (isAborted = true))
    return first.run()
  })
  const secondEnd = start(second.run)
  expect(isAborted).toBe(true)
  second.end()
  await secondEnd
  first.end()
  await firstEnd
  expect(states.at(-1)).toEqual({ state: 'done', result: 'second' })
})

test('a failure of work that was replaced is not shown, nor is its progress', async () => {
  const { states, start } = watched()
  const first = slowWork('first')
  let progress = (_done: number) => {}
  const firstEnd = start((_signal, onProgress) => {
    progress = onProgress
    return first.run()
  })
  await start(async () => 'second')
  progress(7)
  first.fail()
  await firstEnd
  expect(states.at(-1)).toEqual({ state: 'done', result: 'second' })
})

test('work that was forgotten shows nothing any more', async () => {
  const { states, start, reset } = watched()
  const only = slowWork('only')
  const end = start(only.run)
  reset()
  only.end()
  await end
  expect(states).toEqual([{ state: 'running', done: 0 }, { state: 'idle' }])
})

test('work that was cancelled says how far it came', async () => {
  const { states, start, cancel } = watched()
  const end = start(async (signal, onProgress) => {
    onProgress(3)
    cancel()
    signal.throwIfAborted()
    return 'never'
  })
  await end
  expect(states.at(-1)).toEqual({ state: 'cancelled', done: 3 })
})
