import { describe, expect, onTestFinished, test } from 'vitest'
import { products } from '../../../test/support/products.ts'
import { temporaryDatabase } from '../../../test/support/temporary-access.ts'
import type { Database, Ddl } from '../../database/dialect.ts'
import { openDatabase } from '../../database/open-database.ts'
import { openStore } from '../store.ts'
import { migrate, migrations } from './migrate.ts'

const released = migrations.map(({ version }) => [version])
const newest = migrations.length

test('makes the tables once, and finds them made at the next start', async () => {
  const database = await temporaryDatabase()
  await migrate(database)
  const first = await tablesOf(database)
  await migrate(database)
  expect(await tablesOf(database)).toEqual(first)
  expect(await versionsOf(database)).toEqual(released)
})

test('applies only the steps that are missing, and none of them when one fails', async () => {
  const database = await temporaryDatabase()
  await migrate(database)
  const step = (version: number, sql: string) => ({
    version,
    statements: () => [{ sql, parameters: [] }],
  })
  const next = step(newest + 1, 'create table gatehouse_newest (a integer)')
  const broken = step(newest + 2, 'create nonsense')
  await expect(migrate(database, [...migrations, next, broken])).rejects.toThrow()
  expect(await versionsOf(database)).toEqual(released)
  await migrate(database, [...migrations, next])
  expect(await versionsOf(database)).toEqual([...released, [newest + 1]])
})

test('refuses records of a newer version, and says what to do', async () => {
  const database = await temporaryDatabase()
  await migrate(database, [...migrations, { version: newest + 1, statements: () => [] }])
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'STORE_TOO_NEW',
    detail: `The database holds records of version ${newest + 1}, and this program knows versions up to ${newest}: a newer Gatehouse has used it. Start that version, or restore an older backup.`,
  })
})

describe.each(products)('$name', (product) => {
  test('O8 several starts at once make the tables once', async () => {
    const { options, remove } = await product.createDatabase()
    const databases = await Promise.all([1, 2, 3, 4].map(() => openDatabase(options)))
    onTestFinished(async () => {
      await Promise.all(databases.map(({ driver }) => driver.close()))
      await remove()
    })
    await Promise.all(databases.map((database) => openStore(database)))
    const [first] = databases
    expect(first && (await versionsOf(first))).toEqual(released)
  })

  test('a start that was cut off after any statement is finished by the next', async () => {
    const { options, remove } = await product.createDatabase()
    const database = await openDatabase(options)
    onTestFinished(async () => {
      await database.driver.close()
      await remove()
    })
    const nonsense = { sql: 'create nonsense', parameters: [] }
    for (const [index, step] of migrations.entries()) {
      const { length } = step.statements(database.dialect.ddl)
      for (let done = 0; done <= length; done += 1) {
        const cutOff = {
          version: step.version,
          statements: (ddl: Ddl) => [...step.statements(ddl).slice(0, done), nonsense],
        }
        await expect(migrate(database, [...migrations.slice(0, index), cutOff])).rejects.toThrow()
      }
      await migrate(database, migrations.slice(0, index + 1))
    }
    const store = await openStore(database)
    expect(await versionsOf(database)).toEqual(released)
    expect(await store.read((connection) => store.changes.versions(connection))).toEqual({
      records: '0',
      tokens: '0',
      schema: '0',
    })
  })

  test('an API key of before keys had an end goes on', async () => {
    const { options, remove } = await product.createDatabase()
    const database = await openDatabase(options)
    onTestFinished(async () => {
      await database.driver.close()
      await remove()
    })
    await migrate(database, migrations.slice(0, 5))
    await database.driver.transaction(async (connection) => {
      for (const sql of [
        `insert into gatehouse_account (username, password_hash, metadata, created_at) values ('ada', '', '{}', '2026')`,
        `insert into gatehouse_api_key (key_hash, username, name, created_at) values ('k', 'ada', 'default', '2026')`,
      ])
        await connection.execute({ sql, parameters: [] })
    })
    const store = await openStore(database)
    const key = { keyHash: 'k', username: 'ada', name: 'default', createdAt: '2026' }
    expect(await store.read((c) => store.apiKeys.listOf(c, 'ada'))).toEqual([
      { ...key, expiresAt: undefined, lastUsedAt: undefined, prefix: undefined },
    ])
  })

  test('an API key of before keys had a prefix goes on, beside those that the earlier version still makes', async () => {
    const { options, remove } = await product.createDatabase()
    const database = await openDatabase(options)
    onTestFinished(async () => {
      await database.driver.close()
      await remove()
    })
    const insert = (name: string) =>
      database.driver.transaction((connection) =>
        connection.execute({
          sql: `insert into gatehouse_api_key (key_hash, username, name, created_at, expires_at, last_used_at) values ('${name}', 'ada', '${name}', '2026', null, null)`,
          parameters: [],
        }),
      )
    await migrate(database, migrations.slice(0, 15))
    await database.driver.transaction((connection) =>
      connection.execute({
        sql: `insert into gatehouse_account (username, password_hash, metadata, created_at) values ('ada', '', '{}', '2026')`,
        parameters: [],
      }),
    )
    await insert('before')
    const store = await openStore(database)
    await insert('beside')
    const keyNamed = (name: string) => ({
      ...{ keyHash: name, username: 'ada', name, createdAt: '2026' },
      ...{ expiresAt: undefined, lastUsedAt: undefined, prefix: undefined },
    })
    expect(await store.read((c) => store.apiKeys.listOf(c, 'ada'))).toEqual([
      keyNamed('before'),
      keyNamed('beside'),
    ])
  })
})

const versionsOf = (database: Database) =>
  ask(database, 'select version from gatehouse_migration order by version')
const tablesOf = (database: Database) => ask(database, 'select name, sql from sqlite_schema order by name')

function ask({ driver }: Database, sql: string) {
  return driver.read((connection) => connection.query({ sql, parameters: [] }))
}
