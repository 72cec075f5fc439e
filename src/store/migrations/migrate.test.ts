import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../test/support/temporary-access.ts'
import type { Database } from '../../database/dialect.ts'
import { openStore } from '../store.ts'
import { migrate, migrations } from './migrate.ts'

test('makes the tables once, and finds them made at the next start', async () => {
  const database = await temporaryDatabase()
  await migrate(database)
  const first = await tablesOf(database)
  await migrate(database)
  expect(await tablesOf(database)).toEqual(first)
  expect(await versionsOf(database)).toEqual([[1], [2], [3], [4]])
})

test('several starts at once on one file make the tables once', async () => {
  const first = await temporaryDatabase()
  const others = await Promise.all([1, 2, 3].map(() => temporaryDatabase(first.file)))
  await Promise.all([first, ...others].map((database) => openStore(database)))
  expect(await versionsOf(first)).toEqual([[1], [2], [3], [4]])
})

test('applies only the steps that are missing, and none of them when one fails', async () => {
  const database = await temporaryDatabase()
  await migrate(database)
  const step = (version: number, sql: string) => ({
    version,
    statements: () => [{ sql, parameters: [] }],
  })
  const newest = step(5, 'create table gatehouse_newest (a integer)')
  await expect(migrate(database, [...migrations, newest, step(6, 'create nonsense')])).rejects.toThrow()
  expect(await versionsOf(database)).toEqual([[1], [2], [3], [4]])
  await migrate(database, [...migrations, newest])
  expect(await versionsOf(database)).toEqual([[1], [2], [3], [4], [5]])
})

test('refuses records of a newer version, and says what to do', async () => {
  const database = await temporaryDatabase()
  await migrate(database, [...migrations, { version: 7, statements: () => [] }])
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'STORE_TOO_NEW',
    detail:
      'The database holds records of version 7, and this program knows versions up to 4: a newer Gatehouse has used it. Start that one, or restore a backup made before.',
  })
})

const versionsOf = (database: Database) =>
  ask(database, 'select version from gatehouse_migration order by version')
const tablesOf = (database: Database) => ask(database, 'select name, sql from sqlite_schema order by name')

function ask({ driver }: Database, sql: string) {
  return driver.read((connection) => connection.query({ sql, parameters: [] }))
}
