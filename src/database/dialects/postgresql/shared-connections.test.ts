/** Statements that are known to be quick share connections: no one gets another's answer, or waits for another's long. */
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeOn } from '../../../../test/support/describe-on.ts'
import { products, type TestDatabase } from '../../../../test/support/products.ts'
import { testLimits } from '../../../../test/support/test-limits.ts'
import { cancellationOf } from '../../../util/cancellation-token.ts'
import type { Driver } from '../../driver.ts'
import { runAgain } from '../../run-again.ts'
import type { PostgresqlDriverOptions } from './connect.ts'
import { openPostgresqlDriver } from './driver.ts'

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL' && testLimits.fastReads),
  (product) => {
    let created: TestDatabase
    let driver: Driver
    let client: pg.Client
    let options: PostgresqlDriverOptions

    beforeEach(async () => {
      created = await product.createDatabase()
      // Enough that some are free even if a busy machine makes each statement look slow, so that none is shared.
      options = {
        ...(created.options as unknown as PostgresqlDriverOptions),
        connections: 12,
        waitMs: 60_000,
      }
      client = new pg.Client({ ...options, database: options.name, ssl: false })
      client.on('error', () => undefined)
      await client.connect()
      for (const table of ['thing', 'other']) {
        await client.query(`create table ${table} (id int primary key, name text)`)
        await client.query(`insert into ${table} select n, 'name ' || n from generate_series(1, 200) n`)
      }
      driver = runAgain(await openPostgresqlDriver(options))
    })
    afterEach(async () => {
      await client.end()
      await driver.close()
      await created.remove()
    })

    const nameOf = (id: number, table = 'thing', signal?: AbortSignal) =>
      driver.read(
        (connection) =>
          connection.query({ sql: `select name from ${table} where id = $1`, parameters: [id] }),
        { isolation: 'statement', ...(signal && { cancellation: cancellationOf(signal) }) },
      )
    const names = (ids: readonly number[], table = 'thing') => Promise.all(ids.map((id) => nameOf(id, table)))
    const expected = (ids: readonly number[]) => ids.map((id) => [[`name ${id}`]])
    const all = Array.from({ length: 200 }, (_, index) => index + 1)

    /** The processes of the connections that run as many statements at the same time, told by themselves. */
    const processes = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          driver.read(
            (connection) =>
              connection.query({
                sql: 'select pg_backend_pid() from thing where id = $1',
                parameters: [index + 1],
              }),
            { isolation: 'statement' },
          ),
        ),
      )
      return new Set(answers.map(([row]) => Number(row?.[0])))
    }
    /** The processes of the shared connections, as soon as the statement was seen to be quick. */
    const sharedProcesses = () =>
      vi.waitFor(
        async () => {
          const all = await processes(100)
          expect(all.size).toBeLessThanOrEqual(2)
          return [...all]
        },
        { timeout: 200_000 },
      )

    test('many at the same time go over two connections', async () => {
      await sharedProcesses()
    })

    test('a statement that has to wait for a table holds up no one who reads another one', async () => {
      for (const table of ['thing', 'other']) await names([1, 2, 3], table)
      await client.query('begin')
      await client.query('lock table thing in access exclusive mode')
      let isRead = false
      const held = names([5, 6]).then((read) => {
        isRead = true
        return read
      })
      expect(await names(all.slice(0, 20), 'other')).toEqual(expected(all.slice(0, 20)))
      expect(isRead).toBe(false)
      await client.query('commit')
      expect(await held).toEqual(expected([5, 6]))
    })

    test('a statement that no one waits for any more is given up, and the others are not', async () => {
      for (const table of ['thing', 'other']) await names([1, 2, 3], table)
      await client.query('begin')
      await client.query('lock table thing in access exclusive mode')
      const held = nameOf(5)
      const controller = new AbortController()
      const left = nameOf(6, 'thing', controller.signal).catch((error: unknown) => error)
      expect(await names([1, 2], 'other')).toEqual(expected([1, 2]))
      controller.abort()
      expect(await left).toMatchObject({ kind: 'abandoned' })
      await client.query('rollback')
      expect(await held).toEqual([['name 5']])
    })

    test('a statement that waits too long is ended', async () => {
      await driver.close()
      driver = runAgain(await openPostgresqlDriver({ ...options, statementTimeoutMs: 3000 }))
      await names([1, 2, 3])
      await client.query('begin')
      await client.query('lock table thing in access exclusive mode')
      expect(await nameOf(5).catch((error: unknown) => error)).toMatchObject({ kind: 'timedOut' })
      await client.query('rollback')
      await vi.waitFor(async () => expect(await names([5, 6])).toEqual(expected([5, 6])), 60_000)
    })

    test('when connections end with statements under way, these are run on others', async () => {
      for (let round = 0; round < 5; round += 1) {
        const shared = await sharedProcesses()
        const under = processes(6)
        await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [shared])
        expect((await under).size).toBeGreaterThan(0)
      }
    })

    test('a table that has changed is noticed by all who read it, and then read as it is', async () => {
      const whole = () =>
        driver.read(
          (connection) => connection.query({ sql: 'select * from thing where id = 1', parameters: [] }),
          {
            isolation: 'statement',
          },
        )
      for (let round = 0; round < 3; round += 1) await whole()
      await client.query('alter table thing add column more int')
      const asItIs = [[1, 'name 1', null]]
      const answers = await Promise.all([whole(), whole(), whole()].map((one) => one.catch((error) => error)))
      // One that is asked after another has failed may be prepared again by then.
      for (const answer of answers)
        if (answer instanceof Error) expect(answer).toMatchObject({ kind: 'schemaChanged' })
        else expect(answer).toEqual(asItIs)
      expect(await whole()).toEqual(asItIs)
      await client.query('drop table thing')
      for (const failure of await Promise.all([whole(), whole()].map((one) => one.catch((error) => error))))
        expect(failure).toMatchObject({ kind: 'schemaChanged' })
    })
  },
)
