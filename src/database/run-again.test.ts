import { expect, test } from 'vitest'
import { DatabaseError } from './database-error.ts'
import type { Connection, Driver, TransactionOptions } from './driver.ts'
import { runAgain } from './run-again.ts'

const transactionsOnly: Driver = {
  read: () => Promise.reject(new Error('nothing is read')),
  stream: () => Promise.reject(new Error('nothing is read')),
  transaction: (work) => work({} as Connection),
  usage: () => ({ inUse: 0, waiting: 0, most: 1 }),
  close: async () => undefined,
}

/** Whether work is done at last, and how often it was begun, where its first beginnings fail. */
function begun(failures: number, error: Error, options?: TransactionOptions) {
  return begunWith(
    options,
    Array.from({ length: failures }, () => error),
  )
}

/** The same where they fail with these errors. */
const begunAfter = (...errors: readonly Error[]) => begunWith(undefined, errors)

async function begunWith(options: TransactionOptions | undefined, errors: readonly Error[]) {
  let times = 0
  const work = async () => {
    times += 1
    const error = errors[times - 1]
    if (error !== undefined) throw error
    return 'done'
  }
  const ended = await runAgain(transactionsOnly)
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

test('a read whose batch was dissolved still survives a connection that was lost in the pool', async () => {
  const dissolved = new DatabaseError('batchDissolved', 'it runs again')
  const stale = new DatabaseError('staleConnection', 'the connection was lost')
  expect(await begunAfter(dissolved, stale)).toEqual(['done', 3])
  expect(await begunAfter(stale, stale)).toEqual([expect.objectContaining({ kind: 'unavailable' }), 2])
  expect(await begunAfter(dissolved, dissolved)).toEqual([dissolved, 2])
})

test('what met a deadlock begins again one after the other', async () => {
  const driver = runAgain(transactionsOnly)
  let running = 0
  let most = 0
  const carryOut = () => {
    let times = 0
    return driver.transaction(async () => {
      times += 1
      if (times === 1) throw deadlock
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (times === 2) throw deadlock
      return 'done'
    })
  }
  expect(await Promise.all([carryOut(), carryOut(), carryOut()])).toEqual(['done', 'done', 'done'])
  expect(most).toBe(1)
})
