/** Reads of several statements that come at the same time share transactions: nobody notices but the database. */
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readers, type TestDatabase } from '../../../test/support/products.ts'
import type { Database } from '../dialect.ts'
import { cancellationCheckFunction } from '../dialects/sqlite/worker-protocol.ts'
import type { Connection, SqlValue } from '../driver.ts'
import { openDatabase } from '../open-database.ts'

/** Takes some seconds where its value is large, and none where it is 0. */
const slowStatements: Readonly<Record<string, string>> = {
  PostgreSQL: 'select 1 from (select pg_sleep($1::float8 / 100)) s',
  MariaDB: 'select 1 from (select sleep(? / 100)) s',
  SQLite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ? * 50000 and ${cancellationCheckFunction}()) select max(i) > 0 from n`,
}

describe.each(readers)('$name', ({ name, createDatabase }) => {
  let created: TestDatabase
  let database: Database
  let kind: object

  beforeEach(async () => {
    created = await createDatabase()
    database = await openDatabase(created.options)
    kind = {}
    await execute('create table thing (id int primary key, number int)')
    for (let id = 1; id <= 20; id += 1) await execute(`insert into thing values (${id}, 0)`)
    // Known to be quick from now on.
    for (let time = 0; time < 3; time += 1) await numbersOf([1, 2])
  })
  afterEach(async () => {
    await database.driver.close()
    await created.remove()
  })

  const execute = (sql: string) =>
    database.driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
  const firstOf = async (connection: Connection, sql: string, ...parameters: readonly SqlValue[]) =>
    (await connection.select({ sql, parameters })).value(0, 0)
  const numberOf = (connection: Connection, id: number) =>
    firstOf(connection, `select number from thing where id = ${database.dialect.syntax.placeholder(1)}`, id)
  const read = <Result>(work: (connection: Connection) => Promise<Result>) =>
    database.driver.read(work, { kind })
  /** Reads one after the other; all see one state. */
  const numbersOf = (ids: readonly number[]) =>
    read(async (connection) => {
      const numbers: SqlValue[] = []
      for (const id of ids) numbers.push(await numberOf(connection, id))
      return numbers
    })
  const some = Array.from({ length: 20 }, (_, index) => index + 1)

  test('each sees one state of the data, whoever else reads and writes', async () => {
    let isOver = false
    const writing = (async () => {
      for (let number = 1; number <= 40; number += 1) await execute(`update thing set number = ${number}`)
      isOver = true
    })()
    while (!isOver) {
      const all = await Promise.all(some.map((id) => numbersOf([id, 21 - id, 1, 20])))
      for (const numbers of all) expect(new Set(numbers).size).toBe(1)
    }
    await writing
    expect(await numbersOf([1, 20])).toEqual([40, 40])
  })

  test('each sees what was written before it came', async () => {
    for (let number = 1; number <= 20; number += 1) {
      const before = some.map((id) => numbersOf([id, id, id]))
      await execute(`update thing set number = ${number}`)
      expect(await Promise.all(some.map((id) => numbersOf([id, id])))).toEqual(
        some.map(() => [number, number]),
      )
      await Promise.all(before)
    }
  })

  test('what is refused is the error of one alone', async () => {
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

  test('who is slow for once holds up nobody', async () => {
    const slow = slowStatements[name.split(' ')[0] ?? ''] ?? ''
    const slowRead = (hundredths: number) =>
      read(async (connection) => [await firstOf(connection, slow, hundredths), await numberOf(connection, 1)])
    for (let time = 0; time < 3; time += 1) expect(await slowRead(0)).toEqual([1, 0])
    let isOver = false
    const held = slowRead(200).then((result) => {
      isOver = true
      return result
    })
    expect(await Promise.all(some.map((id) => numbersOf([id, id])))).toEqual(some.map(() => [0, 0]))
    expect(isOver).toBe(false)
    expect(await held).toEqual([1, 0])
  })

  test('a list that comes in pieces is read all the same', async () => {
    const all = await Promise.all(
      some.map((id) =>
        read(async (connection) => {
          const numbers = [await numberOf(connection, id)]
          const statement = { sql: 'select id from thing order by id', parameters: [] }
          for await (const piece of connection.stream(statement, {
            pieceRows: 7,
            pieceBytes: 1e6,
            isSorted: true,
            alone: false,
          }))
            for (let row = 0; row < piece.length; row += 1) numbers.push(piece.value(row, 0))
          return numbers
        }),
      ),
    )
    expect(all).toEqual(some.map(() => [0, ...some]))
  })

  test('what is under way when the database is closed is answered', async () => {
    const under = Promise.all(some.map((id) => numbersOf([id, id, id])))
    const closing = database.driver.close()
    expect(await under).toEqual(some.map(() => [0, 0, 0]))
    await closing
    await expect(numbersOf([1])).rejects.toMatchObject({ kind: 'unavailable' })
    database = await openDatabase(created.options)
  })

  // SQLite's connections write whoever has them.
  if (name === 'SQLite') return

  test('none can write', async () => {
    await expect(
      read(async (connection) => {
        await numberOf(connection, 1)
        return connection.execute({ sql: 'delete from thing', parameters: [] })
      }),
    ).rejects.toMatchObject({ kind: 'readOnly' })
  })

  if (!name.startsWith('PostgreSQL')) return

  /** Until those that come together are in one transaction: the first one, and all others in the next. */
  const share = () =>
    vi.waitFor(
      async () => {
        const times = await Promise.all(
          some.map(() =>
            read(async (connection) => [
              String(await firstOf(connection, 'select now()')),
              await numberOf(connection, 1),
            ]),
          ),
        )
        expect(new Set(times.map(([time]) => time)).size).toBe(2)
      },
      { timeout: 60_000 },
    )

  test('those that come together are in one transaction', share)

  test('a connection that is lost is lost for nobody', async () => {
    const { name: databaseName, ...server } = created.options as unknown as Record<string, string>
    const client = new pg.Client({ ...server, database: databaseName ?? '', ssl: false })
    await client.connect()
    await share()
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
    const processes = new Set<unknown>()
    const all = some.map((id) =>
      read(async (connection) => {
        processes.add(await firstOf(connection, 'select pg_backend_pid()'))
        await lost
        return numberOf(connection, id)
      }),
    )
    while (processes.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [[...processes]])
    lose()
    expect(await Promise.all(all)).toEqual(some.map(() => 0))
    await client.end()
  })
})
