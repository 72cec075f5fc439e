import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { testLimits } from '../../../../test/support/test-limits.ts'
import { cancellationOf } from '../../../util/cancellation-token.ts'
import type { DatabaseError } from '../../database-error.ts'
import type { Connection, Driver } from '../../driver.ts'
import { openSqliteDriver } from './driver.ts'

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

test('in memory, too, a transaction happens wholly or not at all', async () => {
  const driver = await open(':memory:')
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

/** Runs until it is cancelled. */
const endless =
  'with recursive c (x) as (select 1 union all select x + 1 from c) select max(x) from c where gatehouse_check_cancelled()'

test('what has ended is told while the next statement of the same read runs', async () => {
  const driver = await open(undefined, { ...testLimits, statementTimeoutMs: 600_000 })
  const leaving = new AbortController()
  const read = driver.read(
    (connection) =>
      Promise.all([
        rows(connection, 'select 1').then((found) => {
          leaving.abort()
          return found
        }),
        rows(connection, endless).catch((error: unknown) => (error as DatabaseError).kind),
      ]),
    { cancellation: cancellationOf(leaving.signal) },
  )
  expect(await read).toEqual([[[1]], 'abandoned'])
})

test('a read is not ended with what is left of the one before it', async () => {
  const driver = await open(undefined, { ...testLimits, statementTimeoutMs: 600_000 })
  const leaving = new AbortController()
  const thrown = Promise.withResolvers<void>()
  const failing = driver.read(
    (connection) =>
      Promise.all([
        rows(connection, 'select 1').then(() => {
          thrown.resolve()
          throw new Error('too much')
        }),
        rows(connection, endless),
      ]),
    { cancellation: cancellationOf(leaving.signal) },
  )
  failing.catch(() => {})
  await thrown.promise
  await setImmediate()
  const others = [2, 3, 4].map((number) => driver.read((connection) => rows(connection, `select ${number}`)))
  await setImmediate()
  leaving.abort()
  await expect(failing).rejects.toThrow('too much')
  expect(await Promise.all(others)).toEqual([[[2]], [[3]], [[4]]])
})

test.each([':memory:', undefined])('after a failed read it is closed, %s', async (file) => {
  const driver = await open(file)
  await expect(driver.read((connection) => rows(connection, 'select * from nothing'))).rejects.toThrow()
  await driver.close()
})
