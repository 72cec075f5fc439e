/** What the statements of a read see, and that no one but the database notices how reads share connections and transactions. */
import { describe, expect, test } from 'vitest'
import type { Connection, ReadOptions } from '../../src/database/driver.ts'
import { listOf } from '../../src/database/row-set.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import { type CancellationToken, cancellationOf } from '../../src/util/cancellation-token.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'

/** In hundredths of a second. */
const endless = 1e6
const some = Array.from({ length: 20 }, (_, index) => index + 1)

describe.each(readers)('$name', (product) => {
  const batchKey = {}
  const opened = openForSuite(product, async ({ execute }) => {
    await execute('create table thing (id int primary key, number int)')
    await execute(`insert into thing values ${some.map((id) => `(${id}, 0)`).join(', ')}`)
    await execute('create table written (id int)')
    // Known to be quick from now on.
    for (let time = 0; time < 3; time += 1) await numbersOf([1, 2])
  })

  const firstOf = async (connection: Connection, text: string, ...values: readonly SqlValue[]) =>
    (await connection.select(opened.statement(text, ...values))).value(0, 0)
  const numberOf = (connection: Connection, id: number) =>
    firstOf(connection, 'select number from thing where id = ?', id)
  const read = <Result>(work: (connection: Connection) => Promise<Result>) =>
    opened.driver.read(work, { batchKey })
  /** Reads one after the other; all see one state. */
  const numbersOf = (ids: readonly number[]) =>
    read(async (connection) => {
      const numbers: SqlValue[] = []
      for (const id of ids) numbers.push(await numberOf(connection, id))
      return numbers
    })
  const setAll = (number: number) => opened.execute(`update thing set number = ${number}`)
  const countWritten = async (connection: Connection) =>
    (await connection.query(opened.statement('select id from written'))).length

  test.each([
    ['snapshot', 0],
    ['statement', 2],
  ] as const)(
    'statements of the isolation “%s” see what it says, after earlier ones, too',
    async (isolation, more) => {
      const before = (await opened.query('select id from written')).length
      const counts = await opened.driver.read(
        async (connection) => {
          const found = [await countWritten(connection)]
          for (const id of [1, 2]) {
            await opened.execute('insert into written values (?)', id)
            found.push(await countWritten(connection))
          }
          return found
        },
        { isolation },
      )
      expect(counts).toEqual([before, before + more / 2, before + more])
    },
  )

  test('without an isolation, all statements see one state', async () => {
    const counts = await opened.driver.read(async (connection) => {
      const before = await countWritten(connection)
      await opened.execute('insert into written values (1)')
      return before - (await countWritten(connection))
    })
    expect(counts).toBe(0)
  })

  test('a reader sees what was written before it came, no matter who had its connection last', async () => {
    await opened.execute('delete from written')
    let written = 0
    for (const isolation of [
      'snapshot',
      'snapshot',
      'statement',
      'statement',
      'snapshot',
      'statement',
      'snapshot',
    ] as const) {
      await opened.execute('insert into written values (1)')
      written += 1
      expect(await opened.driver.read(countWritten, { isolation })).toBe(written)
    }
  })

  test.skipIf(product.readersWrite)('a reader cannot write', async () => {
    const writing = (connection: Connection) => connection.execute(opened.statement('delete from written'))
    const ways: readonly ReadOptions[] = [{}, { isolation: 'snapshot' }, { isolation: 'snapshot', batchKey }]
    await opened.execute('insert into written values (1)')
    const before = await opened.driver.read(countWritten)
    for (const options of ways)
      await expect(opened.driver.read(writing, options)).rejects.toMatchObject({ kind: 'readOnly' })
    await expect(opened.driver.stream(writing)).rejects.toMatchObject({ kind: 'readOnly' })
    expect(await opened.driver.read(countWritten)).toBe(before)
  })

  test.each(['snapshot', 'statement'] as const)(
    'a statement that is refused leaves the read as it was, isolation: %s',
    async (isolation) => {
      await setAll(0)
      const answers = await opened.driver.read(
        async (connection) => [
          await numberOf(connection, 1),
          await firstOf(connection, 'select * from nowhere').catch((error: { kind: string }) => error.kind),
          await numberOf(connection, 1),
        ],
        { isolation },
      )
      expect(answers).toEqual([0, 'schemaChanged', 0])
    },
  )

  test('more statements than are kept prepared', async () => {
    const results = await opened.driver.read(async (connection) => {
      const rows = []
      for (let number = 0; number < 600; number += 1)
        rows.push(...(await connection.query({ sql: `select ${number % 300}`, parameters: [] })))
      return rows
    })
    expect(results).toEqual(Array.from({ length: 600 }, (_, number) => [number % 300]))
  })

  test('a row that is read by its key is the row as it is', async () => {
    const byKey = (text: string, id: number) =>
      opened.driver.read(
        async (connection) => listOf(await connection.select({ ...opened.statement(text, id), byKey: true })),
        { isolation: 'statement' },
      )
    const text = 'select id, number from thing where id = ?'
    for (const number of [1, 2, 3, 4]) {
      await setAll(number)
      expect(await byKey(text, 3)).toEqual([[3, number]])
      expect(await byKey(text, 0)).toEqual([])
      await expect(byKey('select * from nowhere where id = ?', 1)).rejects.toMatchObject({
        kind: 'schemaChanged',
      })
    }
  })

  describe('reads of several statements with one key', () => {
    test('each see one state of the data, no matter who else reads and writes', async () => {
      let isOver = false
      const writing = (async () => {
        for (let number = 1; number <= 20; number += 1) await setAll(number)
        isOver = true
      })()
      while (!isOver) {
        const all = await Promise.all(some.map((id) => numbersOf([id, 21 - id, 1, 20])))
        for (const numbers of all) expect(new Set(numbers).size).toBe(1)
      }
      await writing
      expect(await numbersOf([1, 20])).toEqual([20, 20])
    })

    test('each see what was written before they came', async () => {
      for (let number = 1; number <= 10; number += 1) {
        const before = some.map((id) => numbersOf([id, id, id]))
        await setAll(number)
        expect(await Promise.all(some.map((id) => numbersOf([id, id])))).toEqual(
          some.map(() => [number, number]),
        )
        await Promise.all(before)
      }
    })

    test('have the errors of their own statements alone', async () => {
      await setAll(0)
      const all = await Promise.allSettled(
        some.map((id) =>
          read(async (connection) => {
            const number = await numberOf(connection, id)
            if (id === 7) await firstOf(connection, 'select * from nowhere')
            return [id, number, await numberOf(connection, id)]
          }),
        ),
      )
      expect(all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.kind))).toEqual(
        some.map((id) => (id === 7 ? 'schemaChanged' : [id, 0, 0])),
      )
    })

    test('do not wait for one that is slow for once', async () => {
      await setAll(0)
      const controller = new AbortController()
      const options = { batchKey, cancellation: cancellationOf(controller.signal) }
      const slowRead = (hundredths: number) =>
        opened.driver.read(
          async (connection) => [
            await firstOf(connection, product.slowSelect, hundredths),
            await numberOf(connection, 1),
          ],
          options,
        )
      for (let time = 0; time < 3; time += 1) expect(await slowRead(0)).toEqual([1, 0])
      const held = slowRead(endless).catch((error: unknown) => error)
      expect(await Promise.all(some.map((id) => numbersOf([id, id])))).toEqual(some.map(() => [0, 0]))
      controller.abort()
      expect(await held).toMatchObject({ kind: 'abandoned' })
    })

    test('see one state in a list that comes in pieces, too', async () => {
      await setAll(0)
      const all = await Promise.all(
        some.map((id) =>
          opened.driver.stream(async (connection) => {
            const numbers = [await numberOf(connection, id)]
            const statement = { sql: 'select id from thing order by id', parameters: [], isSorted: true }
            for await (const piece of connection.stream(statement, { pieceRows: 7, pieceBytes: 1e6 }))
              for (let row = 0; row < piece.length; row += 1) numbers.push(piece.value(row, 0))
            return numbers
          }),
        ),
      )
      expect(all).toEqual(some.map(() => [0, ...some]))
    })

    test('are answered when the driver is closed meanwhile', async () => {
      await setAll(0)
      const { driver } = await opened.open()
      const numbers = (id: number) =>
        driver.read(async (connection) => [await numberOf(connection, id), await numberOf(connection, id)], {
          batchKey,
        })
      for (let time = 0; time < 3; time += 1) await numbers(1)
      const under = Promise.all(some.map(numbers))
      const closing = driver.close()
      expect(await under).toEqual(some.map(() => [0, 0]))
      await closing
      await expect(numbers(1)).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })

  describe('single statements of many callers', () => {
    const idOf = async (
      id: number,
      text = 'select id from thing where id = ?',
      cancellation?: CancellationToken,
    ) => {
      const rows = await opened.driver.read((connection) => connection.query(opened.statement(text, id)), {
        isolation: 'statement',
        cancellation,
      })
      return rows[0]?.[0]
    }
    const ids = Array.from({ length: 200 }, (_, index) => (index % 20) + 1)

    test('are answered each with its own rows', async () => {
      for (let time = 0; time < 3; time += 1) expect(await idOf(5)).toBe(5)
      expect(await Promise.all(ids.map((id) => idOf(id)))).toEqual(ids)
    })

    test('have the errors of their own values alone', async () => {
      // The absolute value of the least number is none of its type, on any product.
      await opened.execute('create table quotient (id int primary key, number bigint)')
      await opened.execute(
        `insert into quotient values ${some.map((id) => `(${id}, ${id === 7 ? '-9223372036854775808' : id})`).join(', ')}`,
      )
      const text = 'select id, abs(number) from quotient where id = ?'
      for (const id of [1, 2, 1]) expect(await idOf(id, text)).toBe(id)
      const all = await Promise.allSettled(some.map((id) => idOf(id, text)))
      expect(all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.name))).toEqual(
        some.map((id) => (id === 7 ? 'DatabaseError' : id)),
      )
    })

    test('do not wait for one that is slow for once', async () => {
      for (let time = 0; time < 3; time += 1) expect(await idOf(0, product.slowSelect)).toBe(1)
      const controller = new AbortController()
      const slow = idOf(endless, product.slowSelect, cancellationOf(controller.signal)).catch(
        (error: unknown) => error,
      )
      expect(await Promise.all(ids.map((id) => idOf(id)))).toEqual(ids)
      controller.abort()
      expect(await slow).toMatchObject({ kind: 'abandoned' })
    })

    test('are answered when the driver is closed meanwhile', async () => {
      const { driver } = await opened.open()
      const answer = (id: number) =>
        driver.read(
          (connection) => connection.query(opened.statement('select id from thing where id = ?', id)),
          { isolation: 'statement' },
        )
      for (let time = 0; time < 3; time += 1) await answer(1)
      const under = Promise.all(ids.map(answer))
      const closing = driver.close()
      expect(await under).toEqual(ids.map((id) => [[id]]))
      await closing
      await expect(answer(1)).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })
})
