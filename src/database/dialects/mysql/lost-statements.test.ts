/** Statements whose connection is reset while they run. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { products } from '../../../../test/support/products.ts'
import type { Connection } from '../../driver.ts'
import { type DatabaseOptions, openDatabase } from '../../open-database.ts'
import { preparedAnew } from './prepared-anew.ts'

/** A way to the server that is reset when a statement that sleeps is executed, after it was prepared. */
async function resetWay(options: DatabaseOptions): Promise<DatabaseOptions> {
  if (options.product !== 'mysql') throw new Error('Only for servers.')
  const { host, port } = options
  const ways = new Set<Socket>()
  const way = createServer((near) => {
    const far = host.startsWith('/') ? connect(host) : connect(port, host)
    ways.add(near)
    for (const socket of [near, far]) socket.on('error', () => {})
    let isPrepared = false
    near.on('data', (data) => {
      far.write(data)
      if (isPrepared) setImmediate(() => near.resetAndDestroy())
      isPrepared ||= data.includes('sleep')
    })
    near.on('close', () => far.destroy())
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  onTestFinished(() => {
    for (const each of ways) each.destroy()
    way.close()
  })
  return { ...options, host: '127.0.0.1', port: (way.address() as AddressInfo).port }
}

const statement = { sql: `select ${preparedAnew} sleep(5), ? + 1`, parameters: [1] }
const lost = 'unavailable'

test.each(products.filter(({ name }) => name === 'MariaDB'))(
  'a statement that is prepared anew, and whose connection is reset, fails alone, $name',
  async (product) => {
    const created = await product.createDatabase()
    const { driver } = await openDatabase(await resetWay(created.options))
    onTestFinished(async () => {
      await driver.close()
      await created.remove()
    })
    const kindOf = (work: (connection: Connection) => Promise<unknown>) =>
      driver
        .read(async (connection) => {
          // The first statement of a connection may run again.
          await connection.query({ sql: 'select 1', parameters: [] })
          return work(connection)
        })
        .then(
          () => 'done',
          ({ kind }) => kind,
        )
    expect(await kindOf((connection) => connection.query(statement))).toBe(lost)
    expect(await kindOf((connection) => connection.select(statement, { mostBytes: 1000 }))).toBe(lost)
    const streamed = driver.stream(async (connection) => {
      for await (const piece of connection.stream(statement, { pieceRows: 1, pieceBytes: 1000 }))
        expect(piece.length).toBe(1)
    })
    await expect(streamed).rejects.toMatchObject({ kind: lost })
    expect(await kindOf((connection) => connection.query({ sql: 'select 2', parameters: [] }))).toBe('done')
  },
)
