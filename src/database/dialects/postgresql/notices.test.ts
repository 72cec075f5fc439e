import { expect, onTestFinished, test, vi } from 'vitest'
import { describeOn } from '../../../../test/support/describe-on.ts'
import { products } from '../../../../test/support/products.ts'
import type { Database } from '../../dialect.ts'
import { openDatabase } from '../../open-database.ts'

const waitLimits = { timeout: 60_000, interval: 20 }

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    async function open(): Promise<readonly [Database, Database]> {
      const created = await product.createDatabase()
      const databases = [await openDatabase(created.options), await openDatabase(created.options)] as const
      onTestFinished(async () => {
        await Promise.all(databases.map(({ driver }) => driver.close()))
        await created.remove()
      })
      return databases
    }

    /** Listens at a database; gives how often something was heard. */
    async function listen({ notices }: Database): Promise<() => number> {
      let count = 0
      const listening = notices?.listen(() => {
        count += 1
      })
      onTestFinished(async () => listening?.stop())
      await vi.waitFor(() => expect(count).toBe(1), waitLimits)
      return () => count
    }

    const tell = ({ driver, notices }: Database) =>
      driver.transaction(async (connection) => notices?.send(connection))

    test('a notice is heard when its transaction is committed, and not when it is undone', async () => {
      const [sender, receiver] = await open()
      const heard = await listen(receiver)
      await expect(
        sender.driver.transaction(async (connection) => {
          await sender.notices?.send(connection)
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
      await tell(sender)
      await vi.waitFor(() => expect(heard()).toBe(2), waitLimits)
    })

    test('when the connection ends it is made again, and what may have been missed is heard', async () => {
      const [sender, receiver] = await open()
      const heard = await listen(receiver)
      const end = `select count(pg_terminate_backend(pid)) from pg_stat_activity where query = 'listen gatehouse_change' and datname = current_database()`
      const ended = await sender.driver.read((connection) => connection.query({ sql: end, parameters: [] }))
      expect(ended.map(([count]) => Number(count))).toEqual([1])
      await vi.waitFor(() => expect(heard()).toBe(2), waitLimits)
      await tell(sender)
      await vi.waitFor(() => expect(heard()).toBe(3), waitLimits)
    })
  },
)
