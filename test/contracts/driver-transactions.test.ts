/** What is changed together, and who sees it when. */
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../src/database/driver.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { inSavepoint } from '../../src/database/savepoint.ts'
import { cancellationOf } from '../../src/util/cancellation-token.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'

describe.each(readers)('$name', (product) => {
  const opened = openForSuite(product, async ({ execute }) => {
    await execute('create table thing (id int primary key, number int)')
    await execute('create table others (id int primary key)')
  })

  const run = (connection: Connection, text: string) => connection.execute(opened.statement(text))
  const rows = (connection: Connection, text: string) => connection.query(opened.statement(text))
  const ids = async () => (await opened.query('select id from thing order by id')).map(([id]) => id)
  const fill = async (...numbers: readonly number[]) => {
    await opened.execute('delete from thing')
    for (const id of numbers) await opened.execute('insert into thing values (?, 0)', id)
  }

  test('what is done is seen by the transaction itself at once, and by others when it is committed', async () => {
    await fill(1)
    await opened.driver.transaction(async (connection) => {
      await run(connection, 'insert into thing values (2, 0)')
      expect(await rows(connection, 'select id from thing order by id')).toEqual([[1], [2]])
      expect(await ids()).toEqual([1])
    })
    expect(await ids()).toEqual([1, 2])
  })

  test('what is done is there for who opens the database next', async () => {
    await fill(1)
    const first = await openDatabase(opened.created.options)
    await first.driver.transaction((connection) => run(connection, 'insert into thing values (3, 0)'))
    await first.driver.close()
    const second = await openDatabase(opened.created.options)
    expect(
      await second.driver.read((connection) => rows(connection, 'select id from thing order by id')),
    ).toEqual([[1], [3]])
    await second.driver.close()
  })

  test('work that throws leaves nothing, and its error is the one that it threw', async () => {
    await fill(1)
    const failing = opened.driver.transaction(async (connection) => {
      await run(connection, 'insert into thing values (2, 0)')
      await run(connection, 'delete from thing where id = 1')
      throw new RangeError('own')
    })
    await expect(failing).rejects.toThrow(RangeError)
    expect(await ids()).toEqual([1])
  })

  test('a statement sees what was asked for before it, without a wait', async () => {
    await fill(1)
    const found = await opened.driver.transaction(async (connection) => {
      const inserted = run(connection, 'insert into thing values (2, 0)')
      const seen = rows(connection, 'select id from thing order by id')
      const changed = run(connection, 'update thing set number = 1 where id > 1')
      const seenAfter = rows(connection, 'select id, number from thing order by id')
      return [await inserted, await seen, await changed, await seenAfter]
    })
    expect(found).toEqual([
      1,
      [[1], [2]],
      1,
      [
        [1, 0],
        [2, 1],
      ],
    ])
  })

  test('of a statement that is refused while others are asked for, nothing is kept', async () => {
    await fill(1)
    const failing = opened.driver.transaction(async (connection) => {
      await run(connection, 'insert into thing values (2, 0)')
      const refused = run(connection, 'insert into thing values (1, 0)')
      const read = rows(connection, 'select id from thing order by id')
      const [outcome] = await Promise.allSettled([refused, read])
      if (outcome.status === 'rejected') throw outcome.reason
    })
    await expect(failing).rejects.toMatchObject({ kind: 'uniqueViolation' })
    expect(await ids()).toEqual([1])
  })

  test('a statement that is refused leaves nothing of the others', async () => {
    await fill(1)
    const failing = opened.driver.transaction(async (connection) => {
      await run(connection, 'insert into thing values (2, 0)')
      await run(connection, 'insert into thing values (1, 0)')
    })
    await expect(failing).rejects.toMatchObject({ kind: 'uniqueViolation' })
    expect(await ids()).toEqual([1])
  })

  test('a table is made with the rest, or not, as far as the dialect says so', async () => {
    const failing = opened.driver.transaction(
      async (connection) => {
        await run(connection, 'create table made (id int)')
        throw new RangeError('own')
      },
      { unlimited: true },
    )
    await expect(failing).rejects.toThrow(RangeError)
    const found = await opened.driver.read((connection) => opened.database.dialect.introspect(connection))
    expect(found.tables.has('made')).toBe(!opened.database.dialect.ddl.transactional)
  })

  test('a part of the work can be undone', async () => {
    await fill()
    await opened.driver.transaction(async (connection) => {
      await run(connection, 'insert into thing values (1, 0)')
      const part = inSavepoint(connection, async () => {
        await run(connection, 'insert into thing values (2, 0)')
        await run(connection, 'insert into thing values (1, 0)')
      })
      await expect(part).rejects.toMatchObject({ kind: 'uniqueViolation' })
      await inSavepoint(connection, async () => {
        await run(connection, 'insert into thing values (3, 0)')
      })
    })
    expect(await ids()).toEqual([1, 3])
  })

  test('a locked row is read as it is then, and changed by no one else meanwhile', async () => {
    await fill(1)
    const { exclusive } = opened.database.dialect.syntax.rowLock
    const text = `select number from thing where id = 1${exclusive}`
    await Promise.all(
      Array.from({ length: 10 }, () =>
        opened.driver.transaction(async (connection) => {
          // Begins before others have committed.
          await rows(connection, 'select id from others')
          const [row] = await rows(connection, text)
          await connection.execute(opened.statement('update thing set number = ?', Number(row?.[0]) + 1))
        }),
      ),
    )
    expect(await opened.query('select number from thing')).toEqual([[10]])
  })

  test('a row of which one relies on what it is keeps others from changing it', async () => {
    await fill(1)
    const { shared } = opened.database.dialect.syntax.rowLock
    const order: string[] = []
    let changing: Promise<unknown> = Promise.resolve()
    await opened.driver.transaction(async (connection) => {
      await rows(connection, `select id from thing where id = 1${shared}`)
      changing = opened.execute('update thing set number = 1').then(() => order.push('changed'))
      await rows(connection, 'select id from others')
      order.push('done')
      expect(await rows(connection, 'select number from thing')).toEqual([[0]])
    })
    await changing
    expect(order).toEqual(['done', 'changed'])
  })

  test('two that stand in each other’s way are both done', async () => {
    await fill(1, 2)
    // Where a transaction is the only writer, the other one waits for its end.
    const isAlone = opened.database.dialect.syntax.rowLock.exclusive === ''
    const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const add = (first: number, second: number, own: number) =>
      opened.driver.transaction(async (connection) => {
        await run(connection, `update thing set number = number + 1 where id = ${first}`)
        reached[own]?.resolve()
        if (!isAlone) await reached[1 - own]?.promise
        await run(connection, `update thing set number = number + 1 where id = ${second}`)
      })
    await Promise.all([add(1, 2, 0), add(2, 1, 1)])
    expect(await opened.query('select number from thing')).toEqual([[2], [2]])
  })

  test('a change that no one waits for is not begun; one that was begun goes on', async () => {
    await fill()
    const controller = new AbortController()
    const cancellation = cancellationOf(controller.signal)
    await opened.driver.transaction(
      async (connection) => {
        await run(connection, 'insert into thing values (1, 0)')
        controller.abort()
        await run(connection, 'insert into thing values (2, 0)')
      },
      { cancellation },
    )
    const late = opened.driver.transaction((connection) => run(connection, 'delete from thing'), {
      cancellation,
    })
    await expect(late).rejects.toMatchObject({ kind: 'abandoned' })
    expect(await ids()).toEqual([1, 2])
  })

  test('rows come from a transaction as they do from a read', async () => {
    await fill(...Array.from({ length: 40 }, (_, id) => id))
    const all = opened.statement('select id from thing order by id')
    await opened.driver.transaction(async (connection) => {
      const [queried, selected] = [await connection.query(all), await connection.select(all)]
      expect(Array.from({ length: selected.length }, (_, row) => selected.row(row))).toEqual(queried)
    })
  })
})
