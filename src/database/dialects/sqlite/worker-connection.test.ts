import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { testLimits } from '../../../../test/support/test-limits.ts'
import { fileBeside, inThread } from '../../../worker/start-worker.ts'
import { WorkerConnection } from './worker-connection.ts'

test('a statement whose time is over before the connection is open leaves it to the next one', async () => {
  const folder = await temporaryFolder()
  const started = Promise.withResolvers<void>()
  let endings = 0
  const connection = new WorkerConnection(
    { file: join(folder.path, 'data.sqlite'), busyTimeoutMs: testLimits.waitMs },
    {
      startThread: (data) => (listener) => {
        const worker = inThread(fileBeside(import.meta.url, 'connection-thread'), { data })(listener)
        return {
          ...worker,
          post: (calls, handedOver) => void started.promise.then(() => worker.post(calls, handedOver)),
          terminate() {
            endings += 1
            worker.terminate()
          },
        }
      },
    },
  )
  onTestFinished(async () => {
    connection.close()
    await folder.remove()
  })
  const answer = (timeoutMs: number, sql: string) =>
    connection.limited({ timeoutMs, cancellation: undefined }).query({ sql, parameters: [] })

  await expect(answer(50, 'create table late (id integer)')).rejects.toMatchObject({ kind: 'timedOut' })
  started.resolve()
  expect(await answer(testLimits.statementTimeoutMs, 'select count(*) from sqlite_schema')).toEqual([[0]])
  expect([connection.usable, endings]).toEqual([true, 0])
})
