/** Reads of several statements that come at the same time share transactions: what only the database notices. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeOn } from '../../../test/support/describe-on.ts'
import { products, type TestDatabase } from '../../../test/support/products.ts'
import { testLimits } from '../../../test/support/test-limits.ts'
import type { Database } from '../dialect.ts'
import type { Connection } from '../driver.ts'
import { openDatabase } from '../open-database.ts'
import type { SqlValue } from '../sql-value.ts'

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL' && testLimits.fastReads),
  (product) => {
    let created: TestDatabase
    let database: Database
    let batchKey: object

    beforeEach(async () => {
      created = await product.createDatabase()
      database = await openDatabase(created.options)
      batchKey = {}
      await database.driver.transaction(async (connection) => {
        for (const sql of [
          'create table thing (id int primary key, number int)',
          'insert into thing select n, 0 from generate_series(1, 20) n',
        ])
          await connection.execute({ sql, parameters: [] })
      })
    })
    afterEach(async () => {
      await database.driver.close()
      await created.remove()
    })

    const firstOf = async (connection: Connection, sql: string, ...parameters: readonly SqlValue[]) =>
      (await connection.select({ sql, parameters })).value(0, 0)
    const numberOf = (connection: Connection, id: number) =>
      firstOf(connection, 'select number from thing where id = $1', id)
    const read = <Result>(work: (connection: Connection) => Promise<Result>) =>
      database.driver.read(work, { batchKey })
    const some = Array.from({ length: 20 }, (_, index) => index + 1)

    /** Until those that come together are in one transaction: the first one, and all others in the next. */
    const share = () =>
      vi.waitFor(
        async () => {
          const times = await Promise.all(
            some.map(() =>
              read(async (connection) => [
                String(await firstOf(connection, 'select now()')),
                await numberOf(connection, 1),
              ]),
            ),
          )
          expect(new Set(times.map(([time]) => time)).size).toBe(2)
        },
        { timeout: 60_000 },
      )

    test('those that come together are in one transaction', share)

    test('a connection that is lost is lost for nobody', async () => {
      await share()
      const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const all = some.map((id) =>
        read(async (connection) => {
          await numberOf(connection, id)
          begin()
          await lost
          return numberOf(connection, id)
        }),
      )
      await begun
      await product.endConnections?.(created.options)
      lose()
      expect(await Promise.all(all)).toEqual(some.map(() => 0))
    })
  },
)
