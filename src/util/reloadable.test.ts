import { expect, test } from 'vitest'
import { Reloadable } from './reloadable.ts'

/** A source whose loads end when the test says so. */
function controlledSource() {
  const loads: ((value: string | Error) => void)[] = []
  const load = () =>
    new Promise<string>((resolve, reject) => {
      loads.push((value) => (value instanceof Error ? reject(value) : resolve(value)))
    })
  return {
    load,
    finish: (number: number, value: string | Error) => loads[number]?.(value),
    count: () => loads.length,
  }
}

async function started(source: ReturnType<typeof controlledSource>) {
  const starting = Reloadable.start(source.load)
  source.finish(0, 'first')
  return starting
}

test('the old value stays until the new one is whole', async () => {
  const source = controlledSource()
  const reloadable = await started(source)
  const reloading = reloadable.reload()
  expect(reloadable.current()).toBe('first')
  source.finish(1, 'second')
  expect(await reloading).toBe('second')
  expect(reloadable.current()).toBe('second')
})

test('calls that come while one is running make one more together', async () => {
  const source = controlledSource()
  const reloadable = await started(source)
  const running = reloadable.reload()
  const late = [reloadable.reload(), reloadable.reload(), reloadable.reload()]
  source.finish(1, 'second')
  await running
  await new Promise((resolve) => setImmediate(resolve))
  source.finish(2, 'third')
  expect(await Promise.all(late)).toEqual(['third', 'third', 'third'])
  expect(source.count()).toBe(3)
})

test('a load that fails keeps the value and rejects; the next one replaces it', async () => {
  const source = controlledSource()
  const reloadable = await started(source)
  const failing = reloadable.reload()
  source.finish(1, new Error('no'))
  await expect(failing).rejects.toThrow('no')
  expect(reloadable.current()).toBe('first')
  const next = reloadable.reload()
  source.finish(2, 'second')
  expect(await next).toBe('second')
})
