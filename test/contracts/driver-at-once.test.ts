/** Transactions whose statements are sent together with their commit: all of them are kept, or none. */
import { describe, expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Driver, Statement, StatementResult } from '../../src/database/driver.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { listOf } from '../../src/database/row-set.ts'
import { cancellationOf } from '../../src/util/cancellation-token.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { openForSuite } from '../support/opened-database.ts'
import { products } from '../support/products.ts'

const served = products.filter(({ name }) => name === 'PostgreSQL')

describeOn(served, (product) => {
  const opened = openForSuite(product, async ({ execute }) => {
    await execute('create table thing (id int primary key, number int)')
    await execute(
      'create table part (id int primary key, thing int references thing (id) deferrable initially deferred)',
    )
    await execute('create sequence tried')
    await execute('create sequence slept')
  })
  const { statement } = opened
  const things = async () => opened.query('select id, number from thing order by id')
  const empty = async () => {
    await opened.execute('delete from part')
    await opened.execute('delete from thing')
  }

  /** A connection that was not used for a second does not take them: then it is used before. */
  const carriedOut = (...statements: readonly Statement[]) => carriedOutBy(opened.driver, statements)

  async function carriedOutBy(
    driver: Driver,
    statements: readonly Statement[],
  ): Promise<readonly StatementResult[]> {
    for (;;) {
      const results = await driver.transactAtOnce?.(statements)
      if (results !== undefined) return results
      await driver.transaction((connection) => connection.query(statement('select 1')))
    }
  }

  /** The same for statements that are refused: a number of the sequence tells that the server had them. */
  async function refused(...statements: readonly Statement[]): Promise<void> {
    const triedBefore = async () => (await opened.query('select last_value, is_called from tried'))[0]
    const before = await triedBefore()
    do {
      const results = await opened.driver.transactAtOnce?.([
        statement("select nextval('tried')"),
        ...statements,
      ])
      expect(results).toBeUndefined()
    } while (String(await triedBefore()) === String(before))
  }

  /** Sets the number of the row 1 to 1 in a transaction that goes on until the returned function is called. */
  async function holdRow(): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = opened.driver.transaction(async (connection) => {
      await connection.execute(statement('update thing set number = 1 where id = 1'))
      held.resolve()
      await released.promise
    })
    await held.promise
    return async () => {
      released.resolve()
      await holding
    }
  }

  test('each statement has its rows and its number, and sees what was done before it', async () => {
    await empty()
    const results = await carriedOut(
      statement('insert into thing values (?, ?), (2, 20)', 1, 10),
      statement('update thing set number = number + 1 where id = ?', 3),
      statement('select id, number from thing order by id'),
      statement('select id from thing where id = ?', 7),
      statement('delete from thing where id = 2'),
    )
    const found = results.map(({ rows, count }) => [listOf(rows), count])
    expect(found).toEqual([
      [[], 2],
      [[], 0],
      [
        [
          [1, 10],
          [2, 20],
        ],
        2,
      ],
      [[], 0],
      [[], 1],
    ])
    expect(await things()).toEqual([[1, 10]])
  })

  test('after one that is refused none is kept, and the connection goes on', async () => {
    await empty()
    await opened.execute('insert into thing values (1, 0)')
    await refused(statement('insert into thing values (2, 0)'), statement('insert into thing values (1, 0)'))
    await refused(statement('insert into thing values (2, 0)'), statement('select nothing from nowhere'))
    await refused(statement('insert into thing values (?, 0)', 'two'), statement('select 1'))
    expect(await things()).toEqual([[1, 0]])
    // Statements behind the refused one were not prepared.
    const next = await carriedOut(statement('insert into thing values (?, 0)', 2), statement('select 1'))
    expect(next.map(({ count }) => count)).toEqual([1, 1])
    expect(await things()).toEqual([
      [1, 0],
      [2, 0],
    ])
  })

  test('what is refused by the commit is not kept', async () => {
    await empty()
    await refused(statement('insert into part values (1, 404)'), statement('select id from part'))
    expect(await opened.query('select id from part')).toEqual([])
    await carriedOut(
      statement('insert into part values (1, 5)'),
      statement('insert into thing values (5, 0)'),
    )
    expect(await opened.query('select id from part')).toEqual([[1]])
  })

  test('it writes, although transactions of the server read only by default; many at the same time', async () => {
    await empty()
    await opened.execute('insert into thing values (1, 0)')
    const add = statement('update thing set number = number + 1 where id = 1')
    await Promise.all(Array.from({ length: 40 }, () => carriedOut(add)))
    expect(await things()).toEqual([[1, 40]])
  })

  test('reads on the same connections stay reads, with the limit of reads', async () => {
    const ask = () =>
      opened.driver.read(
        (connection) =>
          connection.query(
            statement(
              "select current_setting('transaction_read_only'), current_setting('statement_timeout')",
            ),
          ),
        { isolation: 'statement' },
      )
    const limited = [['on', '65s']]
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        Array.from({ length: 8 }, () => carriedOut(statement('update thing set number = number'))),
      )
      expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array(8).fill(limited))
    }
  })

  test('one that waits for longer than a statement may take was not committed', async () => {
    await empty()
    await opened.execute('insert into thing values (1, 0)')
    const { driver } = await opened.open({ statementTimeoutMs: 300 })
    const release = await holdRow()
    const add = statement('update thing set number = number + 10 where id = 1')
    for (let tried: unknown = 'not'; tried !== 'timedOut'; ) {
      await driver.read((connection) => connection.query(statement('select 1')))
      tried = await driver
        .transactAtOnce?.([add])
        .catch((error: unknown) => (error instanceof DatabaseError ? error.kind : error))
      if (tried !== undefined) expect(tried).toBe('timedOut')
    }
    await release()
    await driver.transaction((connection) => connection.execute(add))
    expect(await things()).toEqual([[1, 11]])
  })

  test('one that the server gives up because it ends was not committed, and one whose end is not heard is not repeated', async () => {
    await empty()
    await opened.execute('insert into thing values (1, 1)')
    const waiting = carriedOut(
      statement('update thing set number = number + 1 where id = 1'),
      statement("select 1 from pg_sleep(case when nextval('slept') = 1 then 3600 else 0 end)"),
    )
    const ended = () =>
      opened.query(
        "select count(pg_terminate_backend(pid))::int from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
      )
    await vi.waitFor(async () => expect(await ended()).toEqual([[1]]), 30_000)
    await waiting
    expect(await things()).toEqual([[1, 2]])

    const { host, port } = opened.created.options as { readonly host: string; readonly port: number }
    const proxy = await startFaultProxy(host, port)
    const other = await openDatabase({ ...opened.created.options, port: proxy.port } as DatabaseOptions)
    let failure: unknown
    do {
      const ping = await other.driver.transaction((connection) => connection.query(statement('select 1')))
      expect(ping).toEqual([[1]])
      proxy.forget()
      failure = await other.driver
        .transactAtOnce?.([statement('update thing set number = number + 1 where id = 1')])
        .catch((error: unknown) => error)
    } while (failure === undefined)
    expect(failure).toBeInstanceOf(DatabaseError)
    expect(failure).toMatchObject({ kind: 'unavailable', perhapsCommitted: true })
    await other.driver.close()
    await proxy.close()
    expect(await things()).toEqual([[1, 2]])
  })

  describe('several at the same time', () => {
    const insert = (id: number, number = 0) => [
      statement('insert into thing values (?, ?)', id, number),
      statement('select id, number from thing where id = ?', id),
    ]
    const add = (id: number) => [
      statement('update thing set number = number + 1 where id = ?', id),
      statement('select id, number from thing where id = ?', id),
    ]
    /** Carries both out until they share a transaction: a driver has to know that writes are quick. `ids` are their rows. */
    async function untilTogether(
      driver: Driver,
      write: (id: number) => readonly Statement[],
      ids: readonly [number, number],
    ): Promise<void> {
      for (;;) {
        await carriedOutBy(driver, write(ids[0]))
        await opened.execute('delete from thing where id = ? and number = 0', ids[0])
        await Promise.all(ids.map((id) => carriedOutBy(driver, write(id))))
        const [row] = await opened.query(
          `select count(distinct xmin::text)::int from thing where id in (${ids.join()})`,
        )
        if (row?.[0] === 1) return
        await opened.execute(`delete from thing where id in (${ids.join()}) and number = 0`)
      }
    }
    /** A driver that carries out inserts and additions together. */
    async function openKnowing(settings: Partial<DatabaseOptions> = {}): Promise<Driver> {
      const { driver } = await opened.open(settings)
      await untilTogether(driver, insert, [-1, -2])
      await untilTogether(driver, add, [-1, -2])
      await opened.execute('delete from thing where id < 0')
      return driver
    }
    const shown = (results: readonly StatementResult[] | undefined) =>
      results?.map(({ rows }) => listOf(rows)).at(-1)
    const transactions = async () =>
      Number((await opened.query('select count(distinct xmin::text) from thing'))[0]?.[0])

    test('are one transaction, and each gets its own rows', async () => {
      do {
        const driver = await openKnowing()
        await empty()
        const ids = Array.from({ length: 20 }, (_, index) => 20 - index)
        const results = await Promise.all(ids.map((id) => carriedOutBy(driver, insert(id, id * 10))))
        expect(results.map(shown)).toEqual(ids.map((id) => [[id, id * 10]]))
        expect((await things()).map(([id]) => id)).toEqual(ids.toReversed())
      } while ((await transactions()) !== 1)
    })

    test('those that are refused are the only ones that are', async () => {
      let results: readonly unknown[]
      do {
        const driver = await openKnowing()
        await empty()
        await opened.execute('insert into thing values (3, 30), (5, 50)')
        results = (
          await Promise.all([1, 2, 3, 4, 5, 6].map((id) => driver.transactAtOnce?.(insert(id, id))))
        ).map(shown)
        // A group may have been late, or a connection quiet for long: then they are carried out in another way.
      } while (results[0] === undefined || (await transactions()) !== 2)
      expect(results).toEqual([[[1, 1]], [[2, 2]], undefined, [[4, 4]], undefined, [[6, 6]]])
      expect(await things()).toEqual([
        [1, 1],
        [2, 2],
        [3, 30],
        [4, 4],
        [5, 50],
        [6, 6],
      ])
    })

    test('nobody waits for one whose row is locked, or that takes long', async () => {
      await empty()
      const driver = await openKnowing()
      const addSlowly = (id: number, seconds: number) => [
        statement('update thing set number = number + (select 1 from pg_sleep(?)) where id = ?', seconds, id),
        statement('select id, number from thing where id = ?', id),
      ]
      await opened.execute('insert into thing values (1, 0), (2, 0), (3, 0), (4, 10), (5, 10)')
      await untilTogether(driver, (id) => addSlowly(id, 0), [4, 5])
      const before = Number((await opened.query('select number from thing where id = 4'))[0]?.[0])
      const release = await holdRow()
      const waiting = [driver.transactAtOnce?.(add(1)), driver.transactAtOnce?.(addSlowly(4, 3600))]
      const others = await Promise.all([2, 3].map((id) => carriedOutBy(driver, add(id))))
      expect(others.map(shown)).toEqual([[[2, 1]], [[3, 1]]])
      expect(await Promise.all(waiting)).toEqual([undefined, undefined])
      await release()
      expect((await things()).slice(0, 4)).toEqual([
        [1, 1],
        [2, 1],
        [3, 1],
        [4, before],
      ])
    })

    test('changes of the same rows by several programs, in any order, are all kept', async () => {
      await empty()
      await opened.execute('insert into thing select number, 0 from generate_series(1, 12) number')
      const programs = [await openKnowing(), await openKnowing(), await openKnowing()]
      const ids = Array.from({ length: 12 }, (_, index) => index + 1)
      const addOn = async (driver: Driver, id: number) => {
        if ((await driver.transactAtOnce?.(add(id))) !== undefined) return
        await driver.transaction(async (connection) => {
          for (const one of add(id).slice(0, 1)) await connection.execute(one)
        })
      }
      for (let round = 0; round < 10; round += 1)
        await Promise.all(
          programs.flatMap((driver, index) =>
            (index % 2 === 0 ? ids : ids.toReversed()).map((id) => addOn(driver, id)),
          ),
        )
      expect(await things()).toEqual(ids.map((id) => [id, 30]))
    })

    test('what nobody waits for any more is not begun', async () => {
      await empty()
      const driver = await openKnowing()
      const aborted = new AbortController()
      const cancellation = cancellationOf(aborted.signal)
      const waiting = [
        driver.transactAtOnce?.(insert(1)),
        driver.transactAtOnce?.(insert(2), { cancellation }),
        driver.transactAtOnce?.(insert(3)),
      ]
      aborted.abort()
      const [first, second, third] = await Promise.allSettled(waiting)
      expect(second).toMatchObject({ status: 'rejected', reason: { kind: 'abandoned' } })
      expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled'])
      expect((await things()).filter(([id]) => id === 2)).toEqual([])
    })

    test('if the commit is not answered, each is told so, and none is repeated', async () => {
      await empty()
      const { host, port } = opened.created.options as { readonly host: string; readonly port: number }
      const proxy = await startFaultProxy(host, port)
      const driver = await openKnowing({ port: proxy.port } as Partial<DatabaseOptions>)
      await opened.execute('insert into thing values (1, 0), (2, 0)')
      let failures: readonly unknown[]
      do {
        await driver.transaction((connection) => connection.query(statement('select 1')))
        proxy.forget()
        failures = await Promise.all(
          [1, 2].map((id) => driver.transactAtOnce?.(add(id)).catch((error: unknown) => error)),
        )
      } while (failures.includes(undefined))
      for (const failure of failures)
        expect(failure).toMatchObject({ kind: 'unavailable', perhapsCommitted: true })
      await proxy.close()
      for (const [, number] of await things()) expect([0, 1]).toContain(number)
    })
  })
})
