/** Who waits for a connection, and how statements, connections and drivers end. */
import { describe, expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Connection, Driver, StreamReadOptions } from '../../src/database/driver.ts'
import { cancellationOf } from '../../src/util/cancellation-token.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'
import { sqliteReaders } from '../support/sqlite-readers.ts'

/** In hundredths of a second. */
const endless = 1e6
/** More than there are places for, on any product. */
const many = 30
const waitLimits = { timeout: 50_000, interval: 20 }

describe.each(readers)('$name', (product) => {
  const opened = openForSuite(product, async ({ execute }) => {
    await execute('create table thing (id int primary key, number int)')
    const rows = Array.from({ length: 100 }, (_, id) => `(${id}, 0)`)
    await execute(`insert into thing values ${rows.join(', ')}`)
    await execute('create table large (id integer primary key)')
    // Odd ones alone, as in databases that take turns with another.
    const ids = Array.from({ length: 5000 }, (_, index) => `(${2 * index + 1})`)
    await execute(`insert into large values ${ids.join(', ')}`)
    await execute(product.slowView)
  })

  const one = (connection: Connection) => connection.query({ sql: 'select 1', parameters: [] })
  const endlessly = (connection: Connection) =>
    connection.select(opened.statement(product.slowSelect, endless))
  const slowly = (connection: Connection) => {
    const { quoteIdentifier } = opened.database.dialect.syntax
    return connection.select(opened.statement(`select id from ${quoteIdentifier('Slow')}`))
  }
  /** A statement of ours on a large table: whether it is to end is asked in it, or told from outside. */
  const asking = (connection: Connection) => {
    const { cancellationCheck } = opened.database.dialect.syntax
    const aliases = ['a', 'b', 'c', 'd', 'e']
    const checks = aliases.map(
      (alias) => cancellationCheck({ ...large, rowNumbered: true }, alias)?.pieces.join('') ?? '1 = 1',
    )
    const tables = aliases.map((alias) => `large ${alias}`).join(', ')
    return connection.select(opened.statement(`select count(*) from ${tables} where ${checks.join(' and ')}`))
  }
  const large = {
    id: 'large',
    name: 'large',
    kind: 'table',
    columns: new Map(),
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
  } as const
  const running = () => (product.runningStatements ?? sqliteReaders)(opened.created.options)
  const nothingRuns = () => vi.waitFor(async () => expect(await running()).toBe(0), waitLimits)
  const kindOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof DatabaseError ? error.kind : error),
    )

  /** Each runs work on a connection for reading, of which someone may lose interest. */
  type Way = (
    driver: Driver,
    work: (c: Connection) => Promise<unknown>,
    o: StreamReadOptions,
  ) => Promise<unknown>
  const ways: Readonly<Record<string, Way>> = {
    'a snapshot': (driver, work, options) => driver.read(work, { ...options, isolation: 'snapshot' }),
    'a single statement': (driver, work, options) =>
      driver.read(work, { ...options, isolation: 'statement' }),
    'a stream': (driver, work, options) => driver.stream(work, options),
  }
  const works = [
    ['a long statement', endlessly, {}],
    ['a statement that asks', asking, {}],
    ['a view', slowly, { readsViews: true }],
  ] as const

  test('a statement that no one waits for is ended in the database', async () => {
    const all = Object.values(ways).flatMap((way) =>
      works.map(async ([, work, options]) => {
        const controller = new AbortController()
        const reached = Promise.withResolvers<void>()
        const ended = kindOf(
          way(
            opened.driver,
            async (connection) => {
              await one(connection)
              reached.resolve()
              return work(connection)
            },
            { ...options, cancellation: cancellationOf(controller.signal) },
          ),
        )
        await reached.promise
        controller.abort()
        return ended
      }),
    )
    expect(await Promise.all(all)).toEqual(all.map(() => 'abandoned'))
    await nothingRuns()
    expect(await opened.driver.read(one)).toEqual([[1]])
  })

  test('a statement that takes too long is ended in the database, and what it was part of is undone', async () => {
    const { driver } = await opened.open({ statementTimeoutMs: 1500 })
    const changing = driver.transaction(async (connection) => {
      await connection.execute(opened.statement('update thing set number = 1'))
      await endlessly(connection)
    })
    const reading = driver.read(endlessly, { isolation: 'statement' })
    expect(await Promise.all([kindOf(changing), kindOf(reading)])).toEqual(['timedOut', 'timedOut'])
    await nothingRuns()
    expect(await opened.query('select id from thing where number = 1')).toEqual([])
    expect(await driver.read(one)).toEqual([[1]])
  })

  test('changes of tables take as long as they need', async () => {
    const { driver } = await opened.open({ statementTimeoutMs: 3000 })
    const taken = driver.transaction(
      async (connection) => (await connection.select(opened.statement(product.slowSelect, 400))).value(0, 0),
      { unlimited: true },
    )
    expect(await taken).toBe(1)
  })

  test('who waits too long for a connection is told so, and others who were in time are served', async () => {
    const { driver } = await opened.open({ waitMs: 400 })
    const released = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<void>()
    const all = Array.from({ length: many }, () =>
      kindOf(driver.stream(() => released.promise)).then((kind) => {
        if (kind === 'noConnection') refused.resolve()
        return kind
      }),
    )
    await refused.promise
    released.resolve()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['done', 'noConnection']))
    expect(await driver.read(one)).toEqual([[1]])
  })

  test('who does not want to wait any more is told so, and does not keep the place', async () => {
    const released = Promise.withResolvers<void>()
    const controller = new AbortController()
    const holding = Array.from({ length: many }, () => opened.driver.stream(() => released.promise))
    const waiting = kindOf(opened.driver.stream(one, { cancellation: cancellationOf(controller.signal) }))
    controller.abort()
    expect(await waiting).toBe('abandoned')
    released.resolve()
    await Promise.all(holding)
  })

  test('records and changes do not wait for queries', async () => {
    const released = Promise.withResolvers<void>()
    const holding = Array.from({ length: many }, () => opened.driver.stream(() => released.promise))
    for (const isolation of ['snapshot', 'statement'] as const)
      expect(await opened.driver.read(one, { workload: 'records', isolation })).toEqual([[1]])
    await opened.execute('update thing set number = number')
    await opened.driver.transaction(
      (connection) => connection.execute(opened.statement('update thing set number = number')),
      { unlimited: true },
    )
    released.resolve()
    await Promise.all(holding)
  })

  test('closing waits for what runs, and lets no one in any more', async () => {
    const { driver } = await opened.open()
    const released = Promise.withResolvers<void>()
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reading = driver.read(async (connection) => {
      begun[0]?.resolve()
      await released.promise
      return one(connection)
    })
    const changing = driver.transaction(async (connection) => {
      begun[1]?.resolve()
      await released.promise
      return connection.execute(opened.statement('update thing set number = 0'))
    })
    await Promise.all(begun.map(({ promise }) => promise))
    let isClosed = false
    const closing = driver.close().then(() => {
      isClosed = true
    })
    for (const way of Object.values(ways)) expect(await kindOf(way(driver, one, {}))).toBe('unavailable')
    expect(await kindOf(driver.transaction(one))).toBe('unavailable')
    expect(isClosed).toBe(false)
    released.resolve()
    expect(await Promise.all([reading, changing])).toEqual([[[1]], 100])
    await closing
  })

  test.skipIf(product.endConnections === undefined)(
    'no one notices that connections were lost while no one used them',
    async () => {
      const { driver } = await opened.open()
      const change = (connection: Connection) =>
        connection.execute(opened.statement('update thing set number = 0'))
      const all = () =>
        Promise.all([
          ...Object.values(ways).flatMap((way) => [way(driver, one, {}), way(driver, one, {})]),
          driver.read(one, { workload: 'records' }),
          driver.read(one, { batchKey: driver }),
          driver.transaction(change),
          driver.transaction(change, { unlimited: true }),
        ])
      const first = await all()
      for (let round = 0; round < 2; round += 1) {
        await product.endConnections?.(opened.created.options)
        expect(await all()).toEqual(first)
      }
    },
  )

  test.skipIf(product.endConnections === undefined)(
    'a change whose connection is lost is undone, and not made again',
    async () => {
      let begun = 0
      const { driver } = await opened.open()
      const changing = driver.transaction(async (connection) => {
        begun += 1
        await connection.execute(opened.statement('insert into thing values (1000, 0)'))
        await product.endConnections?.(opened.created.options)
        await connection.execute(opened.statement('insert into thing values (1001, 0)'))
      })
      expect([await kindOf(changing), begun]).toEqual(['unavailable', 1])
      expect(
        await driver.read((connection) =>
          connection.query(opened.statement('select id from thing where id > 999')),
        ),
      ).toEqual([])
    },
  )

  test.skipIf(product.endConnections === undefined).each(['stream', 'transaction'] as const)(
    'work of a %s that has begun is not begun again, even if its first statement loses the connection',
    async (way) => {
      let begun = 0
      const { driver } = await opened.open()
      const working = driver[way](async (connection: Connection) => {
        begun += 1
        await product.endConnections?.(opened.created.options)
        await connection.query(opened.statement('select 1'))
      })
      expect([await kindOf(working), begun]).toEqual(['unavailable', 1])
    },
  )
})
