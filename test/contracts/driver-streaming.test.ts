/** Rows of long lists: up to so many bytes, and in pieces. */
import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { StreamingConnection } from '../../src/database/driver.ts'
import type { RowSet } from '../../src/database/row-set.ts'
import { cancellationOf } from '../../src/util/cancellation-token.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'

const one = { sql: 'select 1', parameters: [] }
const wide = 100_000
const count = 60
const widths = Array.from({ length: count }, (_, id) => (id < 20 ? 10 : wide))
const all = { sql: 'select id, name from wide order by id', parameters: [] }
const sorted = { ...all, isSorted: true }
const numbers = { sql: 'select id from narrow order by id', parameters: [], isSorted: true }
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const idsOf = (rows: RowSet) => Array.from({ length: rows.length }, (_, row) => rows.count(row, 0))

describe.each(readers)('$name: R3: rows are read', (product) => {
  const opened = openForSuite(product, async ({ create, driver, execute, statement }) => {
    await create({
      name: 'wide',
      columns: [
        { name: 'id', type: 'integer', nullable: false },
        { name: 'name', type: 'text', nullable: false },
      ],
      primaryKey: ['id'],
      uniqueKeys: [],
      foreignKeys: [],
      indexes: [],
    })
    await driver.transaction(async (connection) => {
      for (const [id, width] of widths.entries())
        await connection.execute(statement('insert into wide values (?, ?)', id, 'ü'.repeat(width / 2)))
    })
    // The absolute value of the last number is none of its type, on any product.
    await execute('create table narrow (id int primary key, number bigint)')
    const rows = ids(0, count).map((id) => `(${id}, ${id === count - 1 ? '-9223372036854775808' : id})`)
    await execute(`insert into narrow values ${rows.join(', ')}`)
  })
  const stream = <Result>(work: (connection: StreamingConnection) => Promise<Result>) =>
    opened.driver.stream(work)
  const fewRows = { pieceRows: 7, pieceBytes: 1e6 }

  test.each(['statement', 'snapshot'] as const)(
    'up to so many bytes, and one row beyond (%s)',
    async (isolation) => {
      const { driver } = opened
      // Again and again: statements that are known to be quick share a connection.
      for (let round = 0; round < 4; round += 1) {
        const [cut, whole, few] = await driver.read(
          async (connection) => [
            await connection.select(all, { mostBytes: 5.5 * wide }),
            await connection.select(all, { mostBytes: 1000 * wide }),
            await connection.select({ ...all, sql: `${all.sql} limit 21` }, { mostBytes: 1000 }),
          ],
          { isolation, batchKey: all },
        )
        expect(idsOf(cut)).toEqual(ids(0, cut.length))
        expect(cut.isCut).toBe(true)
        // Where texts are in memory as characters, fewer bytes are known of.
        expect([26, 31]).toContain(cut.length)
        expect(cut.value(cut.length - 1, 1)).toBe('ü'.repeat(wide / 2))
        expect([whole.length, whole.isCut]).toEqual([count, false])
        expect([few.length, few.isCut]).toEqual([21, false])
      }
    },
  )

  test.each([true, false])(
    'in pieces of so many rows, and of so many bytes (others between: %s)',
    async (others) => {
      const read: number[] = []
      await stream(async (connection) => {
        for await (const piece of connection.stream(sorted, { pieceRows: 15, pieceBytes: 3 * wide })) {
          if (others) expect(await connection.query(one)).toEqual([[1]])
          expect(piece.length).toBeLessThanOrEqual(15)
          read.push(...idsOf(piece))
          // Of a server that counts rows only, the piece with the first wide rows shows how wide they are.
          if (read.length > 35) expect(piece.length).toBeLessThanOrEqual(6)
        }
      })
      expect(read).toEqual(ids(0, count))
    },
  )

  test.each([true, false])(
    'in pieces of not many more bytes, though rows become wide (others between: %s)',
    async (others) => {
      const read: number[] = []
      await stream(async (connection) => {
        for await (const piece of connection.stream(sorted, { pieceRows: 1000, pieceBytes: wide })) {
          if (others) expect(await connection.query(one)).toEqual([[1]])
          read.push(...idsOf(piece))
          const rows = ids(0, piece.length)
          // Where texts are in memory as characters, twice as many fit.
          expect(rows.filter((row) => String(piece.value(row, 1)).length === wide / 2).length).toBeLessThan(
            20,
          )
        }
      })
      expect(read).toEqual(ids(0, count))
    },
  )

  test('in pieces that are never empty, and none where there are no rows', async () => {
    const read = await stream(async (connection) => {
      const lengths: number[] = []
      for await (const piece of connection.stream(numbers, fewRows)) lengths.push(piece.length)
      const none = { sql: 'select id from narrow where id < 0', parameters: [] }
      for await (const piece of connection.stream(none, fewRows)) lengths.push(piece.length)
      return lengths
    })
    expect(read.reduce((sum, length) => sum + length)).toBe(count)
    expect([Math.min(...read) > 0, Math.max(...read)]).toEqual([true, 7])
  })

  test('of two lists at the same time', async () => {
    const read = await stream(async (connection) => {
      const outer: number[] = []
      for await (const piece of connection.stream(numbers, { ...fewRows, pieceRows: 20 })) {
        const inner: number[] = []
        for await (const other of connection.stream(numbers, fewRows)) inner.push(...idsOf(other))
        expect(inner).toEqual(ids(0, count))
        outer.push(...idsOf(piece))
      }
      return outer
    })
    expect(read).toEqual(ids(0, count))
  })

  /** Long enough for what is done about a list on another connection to come about. */
  const aWhile = async (connection: StreamingConnection) =>
    (await connection.select(opened.statement(product.slowSelect, 50))).value(0, 0)

  test('only as far as they are asked for', async () => {
    const read = await stream(async (connection) => {
      const first: number[] = []
      for await (const piece of connection.stream(sorted, { pieceRows: 3, pieceBytes: 1e9 })) {
        first.push(...idsOf(piece))
        break
      }
      return [first, await aWhile(connection), await connection.query(one)]
    })
    expect(read).toEqual([ids(0, 3), 1, [[1]]])
    // Nothing is left on the connection.
    for (let time = 0; time < 3; time += 1)
      expect(await stream((connection) => connection.query(one))).toEqual([[1]])
    expect(await opened.query('select 1')).toEqual([[1]])
  })

  test.skipIf(product.endConnections === undefined)(
    'up to the loss of the connection, and it is not used again',
    async () => {
      const { driver } = await opened.open()
      for (let time = 0; time < 4; time += 1) {
        const lost = driver.stream(async (connection) => {
          for await (const _ of connection.stream(sorted, { pieceRows: 1, pieceBytes: 1 }))
            await product.endConnections?.(opened.created.options)
        })
        await expect(lost).rejects.toMatchObject({ kind: 'unavailable' })
        expect(await driver.read((connection) => connection.query(one))).toEqual([[1]])
      }
    },
  )

  test('up to an error, which is that of the list alone', async () => {
    const failing = { sql: 'select id, abs(number) from narrow order by id', parameters: [], isSorted: true }
    const read: number[] = []
    const after = await stream(async (connection) => {
      const reading = (async () => {
        for await (const piece of connection.stream(failing, fewRows)) read.push(...idsOf(piece))
      })()
      await expect(reading).rejects.toBeInstanceOf(DatabaseError)
      return [await aWhile(connection), await connection.query(one)]
    })
    expect(read).toEqual(ids(0, read.length))
    expect(after).toEqual([1, [[1]]])
    const refused = stream(async (connection) => {
      for await (const _ of connection.stream({ ...failing, sql: 'select * from nowhere' }, fewRows)) break
    })
    await expect(refused).rejects.toMatchObject({ kind: 'schemaChanged' })
  })

  test('in the state in which they were, no matter who writes meanwhile', async () => {
    await opened.execute('create table growing (id int primary key)')
    await opened.execute(
      `insert into growing values ${ids(0, 30)
        .map((id) => `(${id})`)
        .join(', ')}`,
    )
    const growing = { sql: 'select id from growing order by id', parameters: [], isSorted: true }
    const countOf = { sql: 'select id from growing', parameters: [] }
    let next = 30
    const read = await stream(async (connection) => {
      const rows: number[] = []
      for await (const piece of connection.stream(growing, fewRows)) {
        rows.push(...idsOf(piece))
        await opened.execute('insert into growing values (?)', next)
        next += 1
        expect(await connection.query(countOf)).toHaveLength(30)
      }
      return rows
    })
    expect(read).toEqual(ids(0, 30))
    expect(await opened.query('select id from growing')).toHaveLength(next)
  })

  test('until no one waits for them any more', async () => {
    const controller = new AbortController()
    const reading = opened.driver.stream(
      async (connection) => {
        for await (const piece of connection.stream(sorted, { pieceRows: 3, pieceBytes: 1e9 })) {
          expect(piece.length).toBe(3)
          controller.abort()
        }
      },
      { cancellation: cancellationOf(controller.signal) },
    )
    await expect(reading).rejects.toMatchObject({ kind: 'abandoned' })
    expect(await opened.query('select 1')).toEqual([[1]])
  })
})
