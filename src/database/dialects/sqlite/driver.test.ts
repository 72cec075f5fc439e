import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { testLimits } from '../../../../test/support/test-limits.ts'
import { DatabaseError } from '../../database-error.ts'
import type { Connection, Driver } from '../../driver.ts'
import { openSqliteDriver } from './driver.ts'
import { cancellationCheckFunction } from './worker-protocol.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function open(file?: string, limits = testLimits): Promise<Driver> {
  const folder = await temporaryFolder()
  const driver = await openSqliteDriver({
    file: file ?? join(folder.path, 'data.sqlite'),
    readConnections: 2,
    ...limits,
  })
  cleanUps.push(folder.remove, () => driver.close())
  return driver
}

const run = (connection: Connection, sql: string) => connection.execute({ sql, parameters: [] })
const rows = (connection: Connection, sql: string) => connection.query({ sql, parameters: [] })

test.each(['a file', ':memory:'])('in %s, a transaction happens wholly or not at all', async (where) => {
  const driver = await open(where === ':memory:' ? where : undefined)
  await driver.transaction((connection) => run(connection, 'create table numbers (number int4 primary key)'))
  await driver.transaction((connection) => run(connection, 'insert into numbers values (1)'))
  const failing = driver.transaction(async (connection) => {
    await run(connection, 'insert into numbers values (2)')
    await run(connection, 'create table more (number int4)')
    await run(connection, 'insert into numbers values (1)')
  })
  await expect(failing).rejects.toMatchObject({ kind: 'uniqueViolation', columns: ['number'] })
  expect(await driver.read((connection) => rows(connection, 'select number from numbers'))).toEqual([[1]])
  expect(
    await driver.read((connection) =>
      rows(connection, "select name from sqlite_schema where type = 'table'"),
    ),
  ).toEqual([['numbers']])
})

test('all statements of a read see one state, while a writer goes on', async () => {
  const driver = await open()
  await driver.transaction((connection) => run(connection, 'create table numbers (number int4)'))
  const counts = await driver.read(async (reader) => {
    const before = await rows(reader, 'select count(*) from numbers')
    await driver.transaction((connection) => run(connection, 'insert into numbers values (1)'))
    return [before, await rows(reader, 'select count(*) from numbers')]
  })
  expect(counts).toEqual([[[0]], [[0]]])
  expect(await driver.read((connection) => rows(connection, 'select count(*) from numbers'))).toEqual([[1]])
})

test('a writer finds a connection while all readers are busy', async () => {
  const driver = await open()
  await driver.transaction((connection) => run(connection, 'create table numbers (number int4)'))
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const readers = [0, 1, 2].map(() =>
    driver.read(async (connection) => {
      await released
      return rows(connection, 'select count(*) from numbers')
    }),
  )
  await driver.transaction((connection) => run(connection, 'insert into numbers values (1)'))
  release()
  expect((await Promise.all(readers)).flat(2)).toEqual([1, 1, 1])
})

test.each([
  ['a change of tables', { unlimited: true }, 1],
  ['another writer', { unlimited: false }, 'noConnection'],
] as const)('a writer who waits longer than others may waits for %s', async (_, options, outcome) => {
  const driver = await open(undefined, { ...testLimits, waitMs: 50 })
  await driver.transaction((connection) => run(connection, 'create table numbers (number int4)'))
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holder = driver.transaction(() => released, options)
  const writer = driver
    .transaction((connection) => run(connection, 'insert into numbers values (1)'))
    .catch((error: unknown) => (error as DatabaseError).kind)
  await new Promise((resolve) => setTimeout(resolve, 500))
  release()
  await holder
  expect(await writer).toBe(outcome)
})

/** Counts up to a number, which is quick or takes for ever. */
const counting = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ? and ${cancellationCheckFunction}()) select max(i) from n`

test('quick statements of many callers share a connection, and one that is slow for once holds up nobody', async () => {
  const driver = await open(undefined, { ...testLimits, statementTimeoutMs: 1500 })
  const value = async (sql: string, number: number) => {
    const [row] = await driver.read((connection) => connection.query({ sql, parameters: [number] }), {
      single: true,
    })
    return row?.[0]
  }
  const next = (number: number) => value('select ? + 1', number)
  for (let time = 0; time < 3; time += 1) expect([await value(counting, 5), await next(5)]).toEqual([5, 6])
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  const following = numbers.map((number) => number + 1)
  expect(await Promise.all(numbers.map(next))).toEqual(following)
  let isOver = false
  const slow = value(counting, 1e12).catch((error: unknown) => {
    isOver = true
    return error
  })
  expect(await Promise.all(numbers.map(next))).toEqual(following)
  expect(isOver).toBe(false)
  expect(await slow).toMatchObject({ kind: 'timedOut' })
  expect(await value(counting, 7)).toBe(7)
})

test('what is asked over a shared connection when the driver is closed is answered', async () => {
  const driver = await open()
  const answer = (number: number) =>
    driver.read((connection) => connection.query({ sql: 'select ? + 1', parameters: [number] }), {
      single: true,
    })
  for (let time = 0; time < 3; time += 1) await answer(1)
  const under = Promise.all([1, 2, 3].map(answer))
  const closing = driver.close()
  expect(await under).toEqual([[[2]], [[3]], [[4]]])
  await closing
})

test.each([
  ['select * from nowhere', 'schemaChanged'],
  ['insert into parent values (null)', 'notNullViolation'],
  ['insert into child values (5)', 'foreignKeyViolation'],
] as const)('%s fails as %s', async (sql, kind) => {
  const driver = await open()
  await driver.transaction(async (connection) => {
    await run(connection, 'create table parent (id int4 not null primary key)')
    await run(connection, 'create table child (parent int4 references parent (id))')
  })
  const error: unknown = await driver
    .transaction((connection) => run(connection, sql))
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseError)
  expect((error as DatabaseError).kind).toBe(kind)
})

test('a file that is no database is refused when it is opened', async () => {
  const folder = await temporaryFolder()
  cleanUps.push(folder.remove)
  const { writeFile } = await import('node:fs/promises')
  const file = join(folder.path, 'text.sqlite')
  await writeFile(
    file,
    'This is a text, and a long one, too: longer than the header of a database file is, by far. '.repeat(20),
  )
  await expect(openSqliteDriver({ file, readConnections: 1, ...testLimits })).rejects.toMatchObject({
    kind: 'unavailable',
  })
})
