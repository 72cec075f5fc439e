import { expect, test } from 'vitest'
import { DatabaseError } from './database-error.ts'
import type { Connection, Driver, TransactionOptions } from './driver.ts'
import { runAgain } from './run-again.ts'

/** Whether work is done at last, and how often it was begun, where its first beginnings fail. */
async function begun(failures: number, error: Error, options?: TransactionOptions) {
  const driver: Driver = {
    read: () => Promise.reject(new Error('nothing is read')),
    stream: () => Promise.reject(new Error('nothing is read')),
    transaction: (work) => work({} as Connection),
    usage: () => ({ inUse: 0, waiting: 0, most: 1 }),
    close: async () => undefined,
  }
  let times = 0
  const work = async () => {
    times += 1
    if (times <= failures) throw error
    return 'done'
  }
  const ended = await runAgain(driver)
    .transaction(work, options)
    .catch((failure: unknown) => failure)
  return [ended, times]
}

const deadlock = new DatabaseError('deadlock', 'others stood in the way')
const busy = new DatabaseError('busy', 'others are at work')

test('what a deadlock has undone begins again, and nothing else', async () => {
  expect(await begun(0, deadlock)).toEqual(['done', 1])
  expect(await begun(7, deadlock)).toEqual(['done', 8])
  expect(await begun(8, deadlock)).toEqual([deadlock, 8])
  expect(await begun(1, busy)).toEqual([busy, 1])
  expect(await begun(1, deadlock, { unlimited: true })).toEqual([deadlock, 1])
})
