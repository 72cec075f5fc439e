/** Transactions whose statements are sent together with their commit: all of them are kept, or none. */
import { expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Statement, StatementResult } from '../../src/database/driver.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { listOf } from '../../src/database/row-set.ts'
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
  })
  const { statement } = opened
  const things = async () => opened.query('select id, number from thing order by id')
  const empty = async () => {
    await opened.execute('delete from part')
    await opened.execute('delete from thing')
  }

  /** A connection that was not used for a second does not take them: then it is used before. */
  async function carriedOut(...statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    for (;;) {
      const results = await opened.driver.transactAtOnce?.(statements)
      if (results !== undefined) return results
      await things()
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
    await opened.execute('insert into thing values (1, 0)')
    const release = await holdRow()
    const waiting = carriedOut(statement('update thing set number = number + 1 where id = 1'))
    const ended = () =>
      opened.query(
        "select count(pg_terminate_backend(pid))::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    await vi.waitFor(async () => expect(await ended()).toEqual([[1]]), 30_000)
    await release()
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
})
