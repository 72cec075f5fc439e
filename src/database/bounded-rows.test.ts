import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../../test/support/products.ts'
import type { Database } from './dialect.ts'
import { openDatabase } from './open-database.ts'

const wide = 100_000
const count = 60
const widths = Array.from({ length: count }, (_, id) => (id < 20 ? 10 : wide))
const all = { sql: 'select id, name from wide order by id', parameters: [] }
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe.each(products)('$name: R3: rows are read', (product) => {
  let database: Database
  let remove: () => Promise<void>

  beforeAll(async () => {
    const created = await product.createDatabase()
    remove = created.remove
    database = await openDatabase(created.options)
    await database.driver.transaction(
      (connection) =>
        connection.execute({
          sql: `create table wide (id int, name ${product.name === 'PostgreSQL' ? 'text' : 'longtext'})`,
          parameters: [],
        }),
      { unlimited: true },
    )
    await database.driver.transaction(async (connection) => {
      const { placeholder } = database.dialect.syntax
      const sql = `insert into wide values (${placeholder(1)}, ${placeholder(2)})`
      for (const [id, width] of widths.entries())
        await connection.execute({ sql, parameters: [id, 'ü'.repeat(width / 2)] })
    })
  })
  afterAll(async () => {
    await database.driver.close()
    await remove()
  })

  test.each([true, false])('up to so many bytes, and one row beyond (single: %s)', async (single) => {
    const { driver } = database
    // Again and again: statements that are known to be quick share a connection.
    for (let round = 0; round < 4; round += 1) {
      const [cut, whole, few] = await driver.read(
        async (connection) => [
          await connection.select(all, { mostBytes: 5.5 * wide }),
          await connection.select(all, { mostBytes: 1000 * wide }),
          await connection.select({ ...all, sql: `${all.sql} limit 21` }, { mostBytes: 1000 }),
        ],
        { single, kind: all },
      )
      expect(Array.from({ length: cut.length }, (_, row) => cut.count(row, 0))).toEqual(ids(0, cut.length))
      expect(cut.isCut).toBe(true)
      // Where texts are in memory as characters, fewer bytes are known of.
      expect([26, 31]).toContain(cut.length)
      expect(cut.value(cut.length - 1, 1)).toBe('ü'.repeat(wide / 2))
      expect([whole.length, whole.isCut]).toEqual([count, false])
      expect([few.length, few.isCut]).toEqual([21, false])
    }
  })

  test.each([true, false])('in pieces of so many rows, and of so many bytes (alone: %s)', async (alone) => {
    const read: number[] = []
    await database.driver.read(
      async (connection) => {
        const options = { pieceRows: 15, pieceBytes: 3 * wide, isSorted: true, alone }
        for await (const piece of connection.stream(all, options)) {
          expect(piece.length).toBeLessThanOrEqual(15)
          for (let row = 0; row < piece.length; row += 1) read.push(piece.count(row, 0))
          // Of a server that counts rows only, the piece with the first wide rows shows how wide they are.
          if (read.length > 35) expect(piece.length).toBeLessThanOrEqual(6)
        }
      },
      { single: true },
    )
    expect(read).toEqual(ids(0, count))
  })

  test.each([true, false])(
    'in pieces of not many more bytes, though rows become wide (alone: %s)',
    async (alone) => {
      const read: number[] = []
      await database.driver.read(
        async (connection) => {
          const options = { pieceRows: 1000, pieceBytes: wide, isSorted: true, alone }
          for await (const piece of connection.stream(all, options)) {
            const rows = ids(0, piece.length)
            for (const row of rows) read.push(piece.count(row, 0))
            expect(rows.filter((row) => String(piece.value(row, 1)).length === wide / 2).length).toBeLessThan(
              10,
            )
          }
        },
        { single: true },
      )
      expect(read).toEqual(ids(0, count))
    },
  )
})
