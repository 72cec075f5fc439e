import { describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { Event } from '../../src/observe/events.ts'
import { describeOn } from '../support/describe-on.ts'
import { type FaultMode, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { products, type TestDatabase, type TestProduct } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

/** More than any of it takes, on a busy machine, too. */
const waitLimits = { timeout: 60_000, interval: 50 }

interface Reachable {
  readonly proxy: FaultProxy
  /** The same database, reached over the proxy. */
  readonly database: TestDatabase
}

/** A new database behind a proxy. */
async function behindProxy(product: TestProduct): Promise<Reachable> {
  const { options, remove } = await product.createDatabase()
  const { host, port } = options as { readonly host: string; readonly port: number }
  const proxy = await startFaultProxy(host, port)
  return { proxy, database: { options: { ...options, port: proxy.port } as DatabaseOptions, remove } }
}

async function createNotes(options: DatabaseOptions): Promise<void> {
  const { driver } = await openDatabase(options)
  const sql = 'create table note (id integer primary key)'
  await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
  await driver.close()
}

// They wait for limits of time, each for its own.
describe.concurrent('on', { timeout: 180_000 }, () => {
  describeOn(servers, (product) => {
    test.each([
      ['refuse', 'short', 2000],
      ['blackhole', 'short', 2000],
      ['refuse', 'long', 600_000],
      ['blackhole', 'long', 600_000],
    ] as const)(
      'R18: by %s, statements having a %s time: 503 or 504 while it is away, then as before',
      async (mode, _limit, statementTimeoutMs) => {
        const { proxy, database } = await behindProxy(product)
        const reachable = { ...product, createDatabase: async () => database }
        const limits = { statementTimeoutMs, waitMs: 5000 }
        const gateway = await startTestGateway(reachable, createNotes, { limits })
        const ask = () =>
          gateway.request('POST', '/graphql', { body: { query: '{ note { edges { node { id } } } }' } })
        const answersAgain = async () => {
          await vi.waitFor(async () => expect((await ask()).status).toBe(200), waitLimits)
          expect((await ask()).body).toEqual({ data: { note: { edges: [] } } })
          await vi.waitFor(
            async () => expect((await gateway.request('GET', '/readyz')).status).toBe(200),
            waitLimits,
          )
        }
        try {
          await answersAgain()
          proxy.setMode(mode)
          const answers = await Promise.all(Array.from({ length: 6 }, ask))
          for (const { status, headers, body } of answers) {
            expect({ status, retryAfter: headers.get('retry-after'), body }).toMatchObject({
              status: mode === 'refuse' ? 503 : expect.toBeOneOf([503, 504, 200]),
              ...(status === 200
                ? { body: { data: { note: null }, errors: [{ extensions: { code: 'STATEMENT_TIMEOUT' } }] } }
                : { retryAfter: '1' }),
            })
          }
          expect((await gateway.request('GET', '/healthz')).status).toBe(200)
          expect((await gateway.request('GET', '/readyz')).status).toBe(503)
          proxy.setMode('pass')
          await answersAgain()
        } finally {
          proxy.setMode('pass')
          await gateway.close()
          await proxy.close()
        }
      },
    )

    const starts: readonly FaultMode[] = ['refuse', 'blackhole', { muteAfter: 10 }]
    test.each(starts)('R18: a database that is not there at the start is waited for: %o', async (mode) => {
      const { proxy, database } = await behindProxy(product)
      proxy.setMode(mode)
      const events: Event[] = []
      // A port that is free now: the gateway tells its address only when it is ready.
      const port = await freePort()
      const starting = startGateway({
        database: database.options,
        waitsForDatabase: true,
        host: '127.0.0.1',
        port,
        tokenTtlSeconds: 60,
        bodyLimitBytes: 1000,
        graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
        bootstrap: {},
        observe: (event) => events.push(event),
      })
      const status = async (path: string, method = 'GET') =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { method }).catch(() => undefined))?.status
      await vi.waitFor(async () => expect(await status('/healthz')).toBe(200), waitLimits)
      expect(await status('/readyz')).toBe(503)
      expect(await status('/graphql')).toBe(503)
      expect(await status('/logon', 'POST')).toBe(503)
      proxy.setMode('pass')
      const started = await starting
      expect(started.address).toBe(`http://127.0.0.1:${port}`)
      expect(await status('/readyz')).toBe(200)
      expect(await status('/graphql')).toBe(401)
      const waits = events.filter(({ kind }) => kind === 'DatabaseAwaited')
      expect(waits.length).toBeGreaterThan(0)
      await started.close()
      await proxy.close()
      await database.remove()
    })

    test('a wrong password ends the start, where it is not to wait, with a sentence that names it', async () => {
      const created = await product.createDatabase()
      const wrong = { ...created.options, user: 'nobody_of_this_name', password: 'wrong' } as DatabaseOptions
      await expect(openDatabase(wrong)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('nobody_of_this_name'),
      })
      await created.remove()
    })
  })
})
