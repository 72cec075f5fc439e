import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFaultProxy } from '../../test/support/fault-proxy.ts'
import { products } from '../../test/support/products.ts'
import { redisUrl } from '../../test/support/redis-server.ts'
import type { Database } from './dialect.ts'
import { openDatabase } from './open-database.ts'

const waitLimits = { timeout: 60_000, interval: 20 }

describe.skipIf(redisUrl === undefined).each(products)('$name', (product) => {
  async function open(url = redisUrl ?? ''): Promise<Database> {
    const created = await product.createDatabase()
    const database = await openDatabase({ ...created.options, noticesUrl: url })
    onTestFinished(async () => {
      await database.driver.close()
      await created.remove()
    })
    return database
  }

  const tell = ({ driver, notices }: Database) =>
    driver.transaction(async (connection) => notices?.send(connection))

  /** Listens until notices come, no matter who sends them; gives how many came. */
  async function listen(database: Database): Promise<() => number> {
    let count = 0
    const listening = database.notices?.listen(() => {
      count += 1
    })
    onTestFinished(async () => listening?.stop())
    await vi.waitFor(() => expect(count).toBeGreaterThanOrEqual(2), waitLimits)
    return () => count
  }

  test('a notice is heard when its transaction is committed, and not when it is undone', async () => {
    const database = await open()
    const heard = await listen(database)
    const before = heard()
    const undone = database.driver.transaction(async (connection) => {
      await database.notices?.send(connection)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    let told = 0
    // What is sent before there is a connection is not kept for later.
    for (const wanted of [1, 2]) {
      await vi.waitFor(async () => {
        if (heard() - before >= wanted) return
        await tell(database)
        told += 1
        await vi.waitFor(() => expect(heard() - before).toBeGreaterThanOrEqual(wanted), { timeout: 2000 })
      }, waitLimits)
    }
    expect(heard() - before).toBeLessThanOrEqual(told)
  })

  test.runIf(product === products[0])(
    'R18: notices are heard again after the server fell silent',
    async () => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const proxy = await startFaultProxy(hostname, Number(port || 6379))
      onTestFinished(() => proxy.close())
      const database = await open(`redis://127.0.0.1:${proxy.port}`)
      const heard = await listen(database)
      proxy.setMode('blackhole')
      await expect.poll(() => proxy.taken).toBeGreaterThan(0)
      const before = heard()
      proxy.setMode('pass')
      // Anyone who may have missed some is told so, on the new connection.
      await expect.poll(heard).toBeGreaterThan(before)
    },
  )

  test('without its server, transactions are done all the same', async () => {
    const database = await open('redis://127.0.0.1:1')
    const listening = database.notices?.listen(() => undefined)
    await tell(database)
    await listening?.stop()
  })
})
