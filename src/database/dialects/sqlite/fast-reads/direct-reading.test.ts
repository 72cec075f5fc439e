import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { testLimits } from '../../../../../test/support/test-limits.ts'
import { compileSelect } from '../../../../query/compile-select.ts'
import type { Column, ColumnType } from '../../../database-schema.ts'
import type { Dialect } from '../../../dialect.ts'
import type { Driver } from '../../../driver.ts'
import { listOf } from '../../../row-set.ts'
import type { SqlValue } from '../../../sql-value.ts'
import { openSqliteDriver } from '../driver.ts'
import { sqliteSyntax } from '../syntax.ts'
import { DirectReading } from './direct-reading.ts'

let file: string
let remove: () => Promise<void>
let direct: DirectReading
let driver: Driver

beforeEach(async () => {
  const folder = await temporaryFolder()
  file = join(folder.path, 'data.sqlite')
  remove = folder.remove
  driver = await openSqliteDriver({ file, readConnections: 4, ...testLimits })
  await change('create table thing (id text primary key, number int, other text)')
  await change("insert into thing values ('a', 1, 'x'), ('b', 9007199254740993, 'y'), ('c', null, 'z')")
  direct = new DirectReading(file)
})
afterEach(async () => {
  direct.close()
  await driver.close()
  await remove()
})

const change = (sql: string) =>
  driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
const readDirectly = async (sql: string, ...values: readonly SqlValue[]) => {
  await setImmediate()
  const rows = direct.select(sql, values)
  return rows && listOf(rows)
}
const byId = 'select id, number, other from thing where id = ?'

test('a row is read by its key, as it is now', async () => {
  expect(await readDirectly(byId, 'a')).toEqual([['a', 1, 'x']])
  expect(await readDirectly(byId, 'b')).toEqual([['b', '9007199254740993', 'y']])
  expect(await readDirectly(byId, 'none')).toEqual([])
  await change("update thing set number = 2 where id = 'a'")
  expect(await readDirectly(byId, 'a')).toEqual([['a', 2, 'x']])
})

test('what comes at the same time is left to others', async () => {
  expect(await readDirectly(byId, 'c')).toEqual([['c', null, 'z']])
  expect(direct.select(byId, ['c'])).toBeUndefined()
  expect(await readDirectly(byId, 'c')).toEqual([['c', null, 'z']])
})

test.each([
  ['what would be looked for in all rows', "select id from thing where other = 'x'"],
  ['what would be sorted', "select id from thing where id in ('a', 'b') order by other"],
  ['what is not there', 'select * from nowhere where id = 1'],
])('%s is left to others', async (_, sql) => {
  expect(await readDirectly(sql)).toBeUndefined()
})

test('a row is read while someone writes', async () => {
  const writer = new DatabaseSync(file)
  writer.exec("begin immediate; update thing set number = 5 where id = 'a'")
  expect(await readDirectly(byId, 'a')).toEqual([['a', 1, 'x']])
  writer.exec('commit')
  expect(await readDirectly(byId, 'a')).toEqual([['a', 5, 'x']])
  writer.close()
})

test('a row of a file that is locked is left to others', async () => {
  const locked = `${file}.locked`
  const writer = new DatabaseSync(locked)
  writer.exec('create table thing (id text primary key); begin exclusive')
  const waiting = new DirectReading(locked)
  expect(waiting.select('select id from thing where id = ?', ['a'])).toBeUndefined()
  writer.exec('commit')
  expect(waiting.select('select id from thing where id = ?', ['a'])).toMatchObject({ length: 0 })
  waiting.close()
  writer.close()
})

test('bytes are what they are in other rows, whatever the type of their column', async () => {
  await change("insert into thing values ('d', 1, x'6162')")
  const [row] = (await readDirectly(byId, 'd')) ?? []
  expect(row).toEqual(['d', 1, Buffer.from('ab')])
  expect(row?.[2]).toBeInstanceOf(Buffer)
})

test('only what an index of the key finds is promised to be one row', () => {
  const column = (name: string, type: ColumnType, nativeType: string) =>
    ({ name, type, nativeType, nullable: false, hasDefault: false }) as const
  const plain = column('id', 'string', 'TEXT')
  const folded = column('code', 'string', 'TEXT collate')
  const loose = column('at', 'dateTime', 'DATETIME')
  const status = column('status', 'string', 'TEXT')
  const byKey = (key: readonly Column[], pinned: readonly Column[]) => {
    const columns = new Map([...key, status].map((own) => [own.name, own]))
    const primaryKey = key.map(({ name }) => name)
    const table = { id: 'thing', name: 'thing', kind: 'table', columns, primaryKey } as const
    const filters = pinned.map((own) => {
      const value = { kind: 'literal', value: 'x', label: own.name } as const
      return { kind: 'compare', column: own, comparison: '==', value } as const
    })
    const wanted = { rows: true, total: false, hasNextPage: false, hasPreviousPage: false }
    const filter = { kind: 'and', filters } as const
    const plan = { columns: [plain], filter, orderBy: [], page: {}, wanted }
    const whole = { ...table, uniqueKeys: [], foreignKeys: [] }
    return compileSelect({ ...plan, rights: undefined, table: whole }, {
      syntax: sqliteSyntax,
    } as unknown as Dialect).byKey
  }
  expect(byKey([plain], [plain, status])).toBe(true)
  expect(byKey([plain, status], [plain, status])).toBe(true)
  expect(byKey([plain, status], [plain])).toBe(false)
  expect(byKey([folded], [folded, status])).toBe(false)
  expect(byKey([plain, loose], [plain, loose])).toBe(false)
})

test('the driver reads directly a statement by key, and has its errors from where it reads otherwise', async () => {
  const read = (sql: string, value: SqlValue) =>
    driver.read(
      async (connection) => listOf(await connection.select({ sql, parameters: [value], byKey: true })),
      { isolation: 'statement' },
    )
  for (let time = 0; time < 3; time += 1)
    expect(await read(byId, 'b')).toEqual([['b', '9007199254740993', 'y']])
  await change("update thing set number = 7 where id = 'b'")
  expect(await read(byId, 'b')).toEqual([['b', 7, 'y']])
  for (let time = 0; time < 3; time += 1)
    expect(await read('select id from thing where other = ?', 'z')).toEqual([['c']])
  await expect(read('select * from nowhere where id = ?', 1)).rejects.toMatchObject({ kind: 'schemaChanged' })
})
