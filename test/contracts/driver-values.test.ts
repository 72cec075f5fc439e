/** What goes into placeholders, and the form in which it comes back, whichever way it is read. */
import { describe, expect, test } from 'vitest'
import type { Connection, Statement } from '../../src/database/driver.ts'
import { listOf } from '../../src/database/row-set.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../../src/database/sql.ts'
import type { Row, SqlValue } from '../../src/database/sql-value.ts'
import type { SpecType } from '../../src/database/table-spec.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'

/** Of each type what is written, and what is read of it. */
const values: Readonly<Record<SpecType, readonly (readonly [written: SqlValue, read: SqlValue])[]>> = {
  string: ["it's", '', 'ü 日 😀', ' blanks ', 'a\\b%_"`\n', 'NULL', '1.50'].map((text) => [text, text]),
  text: ['x'.repeat(100_000), 'ü'.repeat(70_000)].map((text) => [text, text]),
  smallInteger: [0, 1, -32768, 32767].map((number) => [number, number]),
  integer: [0, 7, -2147483648, 2147483647].map((number) => [number, number]),
  bigInteger: [
    [5, '5'],
    [2n ** 63n - 1n, '9223372036854775807'],
    [-(2n ** 63n), '-9223372036854775808'],
    [9007199254740993n, '9007199254740993'],
  ],
  float: [0.1, -1.5, 3, 1e-7, 1.7976931348623157e308, 5e-324].map((number) => [number, number]),
  decimal: [
    ['-1.5', '-1.5'],
    ['1200', '1200'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['0', '0'],
  ],
  dateTime: [
    ['2026-01-31 09:30:00', '2026-01-31 09:30:00'],
    ['1999-12-31 23:59:59.000001', '1999-12-31 23:59:59.000001'],
    ['0001-01-01 00:00:00.5', '0001-01-01 00:00:00.5'],
  ],
  date: ['2026-01-31', '0001-01-01', '9999-12-31'].map((day) => [day, day]),
  jsonText: ['{"b":1,  "a":[null]}', '[]'].map((text) => [text, text]),
}
const types = Object.keys(values) as readonly SpecType[]
const rowCount = Math.max(...Object.values(values).map((list) => list.length)) + 1

/** Behind the values of a column, nulls. */
const row = (id: number, side: 0 | 1): Row => [id, ...types.map((type) => values[type][id]?.[side] ?? null)]
const expected = Array.from({ length: rowCount }, (_, id) => row(id, 1))

/** Each reads a statement in its own way. */
const ways: Readonly<
  Record<string, (connection: Connection, statement: Statement) => Promise<readonly Row[]>>
> = {
  query: (connection, statement) => connection.query(statement),
  select: async (connection, statement) => listOf(await connection.select(statement)),
  'select of so many bytes': async (connection, statement) =>
    listOf(await connection.select(statement, { mostBytes: 1e8 })),
  'select by key': async (connection, statement) =>
    listOf(await connection.select({ ...statement, byKey: true })),
  'values one by one': async (connection, statement) => {
    const rows = await connection.select(statement)
    return Array.from({ length: rows.length }, (_, at) =>
      Array.from({ length: types.length + 1 }, (_, column) => rows.value(at, column)),
    )
  },
}

describe.each(readers)('$name', (product) => {
  const opened = openForSuite(product, async ({ create, database, driver, execute }) => {
    const columns = types.map((type) => ({ name: `a ${type}`, type, nullable: true }))
    const id = { name: 'id', type: 'integer', nullable: false } as const
    await create({
      name: 'kinds',
      columns: [id, ...columns],
      primaryKey: ['id'],
      uniqueKeys: [],
      foreignKeys: [],
      indexes: [],
    })
    await driver.transaction(async (connection) => {
      for (const id of expected.keys()) {
        const places = join(row(id, 0).map(parameter), ', ')
        const insert = sql<SqlValue>`insert into kinds values (${places})`
        await connection.execute(render(insert, database.dialect.syntax.placeholder))
      }
    })
    await execute(`create table bytes (id int primary key, content ${product.bytesType})`)
    await execute('insert into bytes values (1, ?), (2, ?), (3, null)', allBytes, new Uint8Array())
  })
  const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index)

  /** All values, in the form that rows have. */
  const all = async (): Promise<Statement> => {
    const { syntax } = opened.database.dialect
    const { columns } = await opened.table('kinds')
    const read = [...columns.values()].map((column) =>
      syntax.readColumn(column, raw(syntax.quoteIdentifier(column.name))),
    )
    const whole: SqlFragment<SqlValue> = sql`select ${join(read, ', ')} from kinds order by id`
    return render(whole, syntax.placeholder)
  }

  describe.each(Object.entries(ways))('by %s', (_, read) => {
    test('all values have the same form', async () => {
      const { driver } = opened
      const statement = await all()
      for (const isolation of ['snapshot', 'statement'] as const)
        expect(await driver.read((connection) => read(connection, statement), { isolation })).toEqual(
          expected,
        )
      expect(await driver.transaction((connection) => read(connection, statement))).toEqual(expected)
      expect(await driver.stream((connection) => read(connection, statement))).toEqual(expected)
    })
  })

  test('in pieces all values have the same form', async () => {
    const statement = { ...(await all()), isSorted: true }
    const rows = await opened.driver.stream(async (connection) => {
      const read: Row[] = []
      for await (const piece of connection.stream(statement, { pieceRows: 2, pieceBytes: 1e6 }))
        read.push(...listOf(piece))
      return read
    })
    expect(rows).toEqual(expected)
  })

  test('bytes are bytes', async () => {
    const statement = opened.statement('select content from bytes order by id')
    const plain = (rows: readonly Row[]) =>
      rows.map(([bytes]) => (bytes instanceof Uint8Array ? [...bytes] : bytes))
    const [queried, selected] = await opened.driver.read(async (connection) => [
      await connection.query(statement),
      listOf(await connection.select(statement)),
    ])
    expect(plain(queried)).toEqual([[...allBytes], [], null])
    expect(plain(selected)).toEqual(plain(queried))
    expect(await opened.query('select id from bytes where content = ?', allBytes)).toEqual([[1]])
  })

  test.runIf(product.notANumber)('a value that is not a number is a text', async () => {
    const statement = opened.statement(`select ${product.notANumber}`)
    await opened.driver.read(async (connection) => {
      expect(await connection.query(statement)).toEqual([['NaN']])
      expect((await connection.select(statement)).value(0, 0)).toBe('NaN')
    })
  })

  test('numbers and texts of a request are compared with columns, and count rows', async () => {
    const integer = opened.database.dialect.syntax.quoteIdentifier('a integer')
    const ids = (condition: string, ...values: readonly SqlValue[]) =>
      opened.query(`select id from kinds ${condition}`, ...values)
    expect(await ids(`where ${integer} = ?`, 7)).toEqual([[1]])
    expect(await ids('order by id limit ? offset ?', 1, 1)).toEqual([[1]])
    expect(await ids('where id = ?', -1)).toEqual([])
  })

  test('a number of rows is counted, and the first column may be left out', async () => {
    const statement = opened.statement('select count(*), id, id from bytes group by id order by id')
    await opened.driver.read(async (connection) => {
      const rows = await connection.select(statement)
      expect([rows.length, rows.isCut, rows.count(2, 0), rows.count(2, 1)]).toEqual([3, false, 1, 3])
      const others = rows.withoutFirst()
      expect([others.row(0), others.value(1, 0), others.count(2, 1), others.length]).toEqual([
        [1, 1],
        2,
        3,
        3,
      ])
      const none = await connection.select(opened.statement('select id from bytes where id = 0'))
      expect([none.length, none.isCut]).toEqual([0, false])
    })
  })

  test('a change tells how many rows it found', async () => {
    await opened.execute('create table counted (id int primary key, number int)')
    expect(await opened.execute('insert into counted values (1, 1), (2, 2), (3, 3)')).toBe(3)
    expect(await opened.execute('update counted set number = number where id > ?', 1)).toBe(2)
    expect(await opened.execute('delete from counted where id = 9')).toBe(0)
    expect(await opened.execute('delete from counted where id < 3')).toBe(2)
  })
})
