/** A firewall forgets connections that wait in the pool: each is cut only when it is used, and no caller notices. */
import { expect, test } from 'vitest'
import { describeOn } from '../../test/support/describe-on.ts'
import { startFaultProxy } from '../../test/support/fault-proxy.ts'
import { products } from '../../test/support/products.ts'
import type { Connection, Driver } from './driver.ts'
import { type DatabaseOptions, openDatabase } from './open-database.ts'
import { listOf } from './row-set.ts'

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

const sql = 'select count(*) from thing'

const ways: Readonly<Record<string, (driver: Driver) => Promise<unknown>>> = {
  'a read': (driver) => driver.read(count),
  'a single statement': (driver) => driver.read(count, { isolation: 'statement' }),
  'a long list': (driver) =>
    driver.stream(async (connection) => {
      const rows: unknown[] = []
      const most = { pieceRows: 10, pieceBytes: 1000 }
      for await (const piece of connection.stream({ sql, parameters: [] }, most)) rows.push(...listOf(piece))
      return rows
    }),
  'a change': (driver) => driver.transaction(count),
}

async function count(connection: Connection): Promise<unknown> {
  return connection.query({ sql, parameters: [] })
}

/** Holds so many connections at the same time, so that they wait in the pool after it. */
async function open(driver: Driver, connections: number): Promise<void> {
  let held = 0
  let release: () => void = () => undefined
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = async (connection: Connection) => {
    await count(connection)
    held += 1
    if (held === connections) release()
    await all
  }
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      index % 2 === 0 ? driver.read(hold) : driver.transaction(hold),
    ),
  )
}

describeOn(servers, (product) => {
  test.each([
    ...Object.keys(ways).map((way) => [way, 1] as const),
    ...Object.keys(ways).map((way) => [way, 12] as const),
  ])('%s, %i at the same time', async (way, callers) => {
    const { options, remove } = await product.createDatabase()
    const { host, port } = options as { readonly host: string; readonly port: number }
    const proxy = await startFaultProxy(host, port)
    const { driver } = await openDatabase({ ...options, port: proxy.port } as DatabaseOptions)
    await driver.transaction((connection) =>
      connection.execute({ sql: 'create table thing (id integer primary key)', parameters: [] }),
    )
    await open(driver, 4)
    const ask = () => Promise.all(Array.from({ length: callers }, () => ways[way]?.(driver)))
    const before = await ask()
    proxy.forget()
    expect(await ask()).toEqual(before)
    await driver.close()
    await proxy.close()
    await remove()
  })
})
